#!/usr/bin/env bash
# python.sh [TEST...]
#
# Installs the Python package from this clone into the virtual environment of
# python_environment.sh, and runs its tests, or only those named, such as test_circuit. Exits with 77
# if the package index is needed and cannot be reached.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The tests of an adapter are skipped where its package cannot be installed.
environment=$(scripts/python_environment.sh pytket cirq-core pennylane bqskit 2>/dev/null || scripts/python_environment.sh)

# Clones of the repository on one machine share the cache of ccache.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=true
fi
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
"$environment/bin/python" -m pip --disable-pip-version-check --quiet install \
  --no-build-isolation --no-deps .

cd python/tests
if (($# > 0)); then
  exec "$environment/bin/python" -B -m unittest "$@"
fi
exec "$environment/bin/python" -B -m unittest discover

#!/usr/bin/env bash
# python.sh [TEST...]
#
# Installs the Python package from this clone into the virtual environment of
# python_environment.sh, and runs its tests, or only those named, such as test_circuit. Exits with 77
# if the package index is needed and cannot be reached.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The tests of an adapter are skipped where its package cannot be installed.
environment=$(scripts/python_environment.sh mypy pytket cirq-core pennylane bqskit 'tket==0.15.12' distributed mpi4py ray 2>/dev/null || scripts/python_environment.sh)
scripts/install_python_package.sh "$environment"

cd python/tests
if (($# > 0)); then
  exec "$environment/bin/python" -B -m unittest "$@"
fi
exec "$environment/bin/python" -B -m unittest discover

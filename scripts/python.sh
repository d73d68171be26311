#!/usr/bin/env bash
# python.sh [TEST...]
# python.sh --packages | --install
# python.sh --installed [TEST...]
#
# Installs the Python package from this clone into the virtual environment of
# python_environment.sh, and runs its tests, or only those named, such as test_circuit. --packages only
# installs the packages that this takes, --install the package as well, and --installed runs tests of
# what is installed. Exits with 77 if the package index is needed and cannot be reached.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step=all
if [[ ${1:-} =~ ^--(packages|install|installed)$ ]]; then
  step=${BASH_REMATCH[1]}
  shift
fi

if [[ $step == installed ]]; then
  environment=$(scripts/python_environment.sh --made)
  compgen -G "$environment/lib/python3*/site-packages/quartz_*.dist-info" >/dev/null || exit 77
else
  # The tests of an adapter are skipped where its package cannot be installed.
  environment=$(scripts/python_environment.sh mypy pytket cirq-core pennylane bqskit 'tket==0.15.12' distributed mpi4py ray 2>/dev/null || scripts/python_environment.sh)
fi
if [[ $step == all || $step == install ]]; then
  scripts/install_python_package.sh "$environment"
fi
if [[ $step == packages || $step == install ]]; then
  exit
fi

cd python/tests
if (($# > 0)); then
  exec "$environment/bin/python" -B -m unittest "$@"
fi
exec "$environment/bin/python" -B -m unittest discover

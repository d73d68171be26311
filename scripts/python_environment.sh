#!/usr/bin/env bash
# python_environment.sh [PACKAGE...]
# python_environment.sh --made
#
# Makes a virtual environment in build/python-environment with what the Python package needs to be
# built and tested, and the PACKAGEs, and prints its folder. PYTHON is the interpreter (default:
# python3). Nothing is installed twice, so that later calls need no package index. Exits with 77 if
# the package index is needed and cannot be reached. --made installs nothing: it exits with 77 if there
# is no environment.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${PYTHON:-python3}
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
environment=$PWD/build/python-environment-$version
if [[ ${1:-} == --made ]]; then
  [[ -x $environment/bin/python ]] || exit 77
  echo "$environment"
  exit
fi
packages=('scikit-build-core>=0.10' 'nanobind>=2.4' numpy tqdm 'qiskit>=2.0' "$@")

if [[ ! -x $environment/bin/python ]]; then
  "$python" -m venv "$environment"
fi
missing=()
installed=$("$environment/bin/python" -m pip --disable-pip-version-check list --format freeze)
for package in "${packages[@]}"; do
  name=${package%%[>=]*}
  grep -qi "^${name//[-_.]/[-_.]}==" <<<"$installed" || missing+=("$package")
done
if ((${#missing[@]} > 0)) &&
  ! "$environment/bin/python" -m pip --disable-pip-version-check --quiet install "${missing[@]}"; then
  echo "$0: the package index cannot be reached, or lacks one of: ${missing[*]}" >&2
  exit 77
fi
echo "$environment"

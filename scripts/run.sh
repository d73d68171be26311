#!/usr/bin/env bash
# run.sh [FILE.qasm]
#
# Runs the main task from end to end: installs missing packages, builds, generates and proves a rule
# set for the gate set nam, optimizes a circuit with it, and checks the result with independent code.
# QUARTZ_TIME is the time limit of the search (default 10s).
set -euo pipefail
if (($# > 1)); then
  echo "usage: $0 [FILE.qasm]" >&2
  exit 2
fi
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$scripts")
# A relative path is relative to the caller's working directory.
input=$(realpath -m "${1:-$root/circuits/barenco_tof_5.qasm}")
if [[ ! -f $input ]]; then
  echo "$0: no such file: ${1:-$input}" >&2
  exit 3
fi
cd "$root"

"$scripts/install_packages.sh"
# A new tree is built in the quickest way, unless a GPU could be used; a developer's tree stays as it is.
preset=unity
if grep -qs '^QUARTZ_UNITY_BUILD:[A-Z]*=OFF' build/CMakeCache.txt || nvidia-smi --list-gpus &>/dev/null; then
  preset=release
fi
"$scripts/build.sh" "$preset" apps/all

rules=build/rules/nam_3_3.json
mkdir -p build/rules build/optimized
if [[ $rules -nt build/bin/quartz-gen ]]; then
  echo "rule set: $rules is up to date"
else
  build/bin/quartz-gen --gate-set nam --gates 3 --qubits 3 --output "$rules" \
    --stats build/rules/nam_3_3.stats.json
fi

output=build/optimized/$(basename "$input")
build/bin/quartz-opt "$input" --output "$output" --gate-set nam --rules "$rules" \
  --time "${QUARTZ_TIME:-10s}" --stats "${output%.qasm}.stats.json"

# A second check, from the two files alone.
echo
echo "quartz-check $input $output"
build/bin/quartz-check "$input" "$output"

#!/usr/bin/env bash
# make_rule_sets.sh [GATE_SET...]
#
# Makes the rule sets that come with the bundled gate sets, gatesets/rules/NAME.json.zst, anew: all
# of them, or those named. To be run after a gate set or the gate table has changed; a test tells.
# Rule sets are compressed JSON: zstd --decompress --stdout FILE.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
./scripts/install_packages.sh
./scripts/build.sh release quartz-gen

# As many gates as make a search by rules better (gatesets/README.md), and take seconds.
declare -A gates=([clifford_t]=5 [ibm_heron]=6 [rigetti]=6)
default_gates=3

names=("$@")
if ((${#names[@]} == 0)); then
  for file in gatesets/*.json; do
    names+=("$(basename "$file" .json)")
  done
fi
mkdir -p gatesets/rules
for name in "${names[@]}"; do
  echo "$name"
  build/bin/quartz-gen --gate-set "$name" --gates "${gates[$name]:-$default_gates}" --qubits 3 \
    --output "gatesets/rules/$name.json.zst"
done

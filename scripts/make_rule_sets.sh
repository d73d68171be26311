#!/usr/bin/env bash
# make_rule_sets.sh [GATE_SET...]
#
# Generates the rule sets of the bundled gate sets again, gatesets/rules/NAME.json.zst: all of them,
# or those named. Run it after a change of a gate set or of the gate table; a test fails until then.
# Rule sets are compressed JSON; "zstd --decompress --stdout FILE" prints one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
./scripts/install_packages.sh
./scripts/build.sh release quartz-gen

# Sizes that improve the search by rules (gatesets/README.md) and take seconds to generate.
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

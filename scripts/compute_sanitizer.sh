#!/usr/bin/env bash
# compute_sanitizer.sh [FOLDER]
#
# Runs the tests of the CUDA backends under the four tools of compute-sanitizer, on a machine with a
# GPU. FOLDER has the test programs of a build with CUDA (default: build-cuda/bin, built by
# `cmake --preset cuda-compile-only -DQUARTZ_TESTS=ON` and then `./scripts/build.sh cuda test_classes
# test_flips test_parity_chains test_window_chains`). compute-sanitizer is part of the CUDA toolkit;
# `pip install nvidia-cuda-sanitizer-api` has it, too, in nvidia/cu13/bin of its site-packages. The
# exit status is 1 if a tool reports an error or a test fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=${1:-build-cuda/bin}
# A test program, and the tag of its tests that run on a device.
tests=(
  "test_classes [level_enumerator]"
  "test_flips [device]"
  "test_parity_chains [device]"
  "test_window_chains [device]"
)
status=0
for test in "${tests[@]}"; do
  read -r program tag <<<"$test"
  for tool in memcheck racecheck initcheck synccheck; do
    options=()
    # racecheck takes more than five minutes for tables of all dimensions.
    if [[ $program/$tool == test_parity_chains/racecheck ]]; then options=(-c "dimension 17"); fi
    echo "== $program: $tool"
    compute-sanitizer --tool "$tool" --error-exitcode 1 \
      "$folder/$program" "$tag" "${options[@]}" || status=1
  done
done
exit "$status"

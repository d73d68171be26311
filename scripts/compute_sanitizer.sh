#!/usr/bin/env bash
# compute_sanitizer.sh [TEST_PROGRAM]
#
# Runs the tests of the CUDA backend under the four tools of compute-sanitizer, on a machine with a
# GPU. TEST_PROGRAM is that of the module `classes` in a build with CUDA (default:
# build-cuda/bin/test_classes, built by `cmake --preset cuda-compile-only -DQUARTZ_TESTS=ON` and then
# `./scripts/build.sh cuda test_classes`). The exit
# status is 1 if a tool reports an error or a test fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=${1:-build-cuda/bin/test_classes}
status=0
for tool in memcheck racecheck initcheck synccheck; do
  echo "== $tool"
  compute-sanitizer --tool "$tool" --error-exitcode 1 "$program" "[level_enumerator]" || status=1
done
exit "$status"

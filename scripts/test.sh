#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test; ctest's count is the last thing printed.
#
# Two trees take part: the tests of the library run under AddressSanitizer and UBSan
# (build-sanitize/); those of the installed product, of its results and of the repository itself run
# on the release build (build/), whose commands are in build/bin afterwards.
set -euo pipefail
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$(dirname "$scripts")"

"$scripts/install_packages.sh"

on_release=(quality benchmarks install ranks golden/release)
"$scripts/build.sh" release apps/all src/all
"$scripts/build.sh" perf
"$scripts/build.sh" sanitize

# One ctest run over both trees, so that there is one count.
mkdir -p build/all-tests
{
  for folder in build-sanitize/tests/*/ build-sanitize/tests/unit/*/; do
    suite=$(basename "$folder")
    [[ -f $folder/CTestTestfile.cmake && " ${on_release[*]} " != *" $suite "* ]] || continue
    echo "subdirs(\"$PWD/${folder%/}\")"
  done
  for suite in "${on_release[@]}"; do
    echo "subdirs(\"$PWD/build/tests/$suite\")"
  done
  echo "subdirs(\"$PWD/build/perf\")"
} >build/all-tests/CTestTestfile.cmake

# A leak found in a test is a failed test; sanitizer reports end the program.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
ctest --test-dir build/all-tests --output-on-failure --timeout 600 --parallel "$(nproc)" </dev/null

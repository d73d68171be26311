#!/usr/bin/env bash
# Installs missing packages, builds, and runs every test. The last lines are the summary of ctest.
#
# There are two build trees. The tests of the library run under AddressSanitizer and UBSan
# (build-sanitize/). Those of the installed package, of results and of the repository itself run on
# the release build (build/), whose commands are in build/bin afterwards.
set -euo pipefail
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$(dirname "$scripts")"

"$scripts/install_packages.sh" browser

# New trees are built in the quickest way; those of a developer stay as they are. The release tree has the units of
# `pip install`, so that these are tested as well; the sanitized tree has all warnings.
if [[ ! -f build/CMakeCache.txt && ! -f build-sanitize/CMakeCache.txt ]]; then
  export QUARTZ_UNITY_BUILD=ON QUARTZ_QUICK_COMPILATION=ON
fi

# ccache looks for an object by its preprocessed text, also if it has none: up to a tenth of the time of a compilation.
if ccache --print-stats | grep -q '^files_in_cache[[:space:]]*0$'; then
  export CCACHE_DEPEND=true
fi

# Packages for Python are downloaded while the compiler is at work. What is missing then, their tests install.
mkdir -p build
{
  "$scripts/make_site.sh" --packages || true
  "$scripts/python.sh" --packages
} >build/python-packages.log 2>&1 &
packages=$!

on_release=(quality benchmarks install python ranks kill limits faults figures golden/release)
"$scripts/build.sh" release apps/all src/all quartz_faulty_system test_optimize
"$scripts/build.sh" perf
"$scripts/build.sh" sanitize tests/all fuzz/all # the commands themselves are tested as they are released

wait "$packages" || true

# One ctest run over both trees, for a single summary.
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
  echo "subdirs(\"$PWD/build-sanitize/fuzz\")"
} >build/all-tests/CTestTestfile.cmake

# A leak fails the test; a sanitizer report ends the program. It shows eight callers of an allocation, since recording thirty
# takes a tenth of the time; ASAN_OPTIONS=detect_leaks=1 shows them all.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:malloc_context_size=8}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
ctest --test-dir build/all-tests --output-on-failure --timeout 600 --parallel "$(nproc)" </dev/null

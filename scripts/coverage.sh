#!/usr/bin/env bash
# coverage.sh [REGEX]
#
# Runs the tests, or those whose names match, in the tree that counts executed lines, and writes a
# report: build-coverage/report/index.html, and a summary on the terminal. Needs gcovr
# (scripts/install_packages.sh coverage).
set -euo pipefail
if (($# > 1)); then
  echo "usage: $0 [REGEX]" >&2
  exit 2
fi
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$(dirname "$scripts")"

"$scripts/build.sh" coverage
tree=build-coverage
find "$tree" -name '*.gcda' -delete # counts of earlier runs

# Tests of the repository itself and of the installed product execute no instrumented code, or only
# code that others test; they are omitted unless they are requested.
selection=(--exclude-regex '^(quality|benchmarks|install|ranks|golden: reduction)')
if (($# == 1)); then
  selection=(--tests-regex "$1")
fi
ctest --preset coverage --parallel "$(nproc)" "${selection[@]}" </dev/null

mkdir -p "$tree/report"
gcovr --root . --object-directory "$tree" --filter 'src/' --filter 'include/quartz/' \
  --exclude-throw-branches --html-details "$tree/report/index.html" --xml "$tree/report/coverage.xml" \
  --print-summary "$tree"
echo "report: $tree/report/index.html"

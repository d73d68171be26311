#!/usr/bin/env bash
# build.sh release|sanitize|perf [TARGET...]
#
# Configures and builds one of the two build trees, or the micro-benchmarks:
#   release    build/           what users run: -O3; the commands land in build/bin
#   sanitize   build-sanitize/  what the tests run: AddressSanitizer and UndefinedBehaviorSanitizer
#   perf       build/           the target quartz-perf: build/perf/quartz-perf (perf/README.md)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1:-}" in
  release)
    tree=build
    options=(-DCMAKE_BUILD_TYPE=Release)
    ;;
  sanitize)
    tree=build-sanitize
    # -O1 -g1: instrumented code takes the compiler twice as long at -O2, and no test needs it.
    options=(-DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1"
             -DQUARTZ_SANITIZE=ON -DQUARTZ_WARNINGS_AS_ERRORS=ON)
    ;;
  perf)
    tree=build
    options=(-DCMAKE_BUILD_TYPE=Release -DQUARTZ_PERF=ON)
    ;;
  *)
    echo "usage: $0 release|sanitize|perf [TARGET...]" >&2
    exit 2
    ;;
esac
[[ $1 == perf && $# == 1 ]] && set -- perf quartz-perf
shift

# A C++ compiler at work here takes up to 1 GiB: no more of them than the memory holds.
memory_gib=$(awk '/MemTotal/ {print int($2 / 1048576)}' /proc/meminfo)
jobs=$(nproc)
if ((memory_gib >= 1 && jobs > memory_gib)); then
  jobs=$memory_gib
fi

# Clones of the repository on one machine share what ccache keeps.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=true

cmake -S . -B "$tree" -G Ninja --log-level=WARNING -DCMAKE_CXX_COMPILER_LAUNCHER=ccache \
  -DQUARTZ_TESTS=ON "${options[@]}" >/dev/null
cmake --build "$tree" --parallel "$jobs" --target "${@:-all}"

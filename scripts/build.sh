#!/usr/bin/env bash
# build.sh PRESET [TARGET...]
# build.sh tidy [FILE...]
# build.sh analyze [FILE...]
#
# Configures and builds a preset of CMakePresets.json, each in a separate tree:
#   release            build/                   what users run: -O3; the commands land in build/bin
#   unity              build/                   the same without CUDA: quicker from scratch, slower after edits
#   perf               build/                   the target quartz-perf: build/perf/quartz-perf
#   sanitize           build-sanitize/          what the tests run: AddressSanitizer and UBSan
#   thread-sanitizer   build-thread-sanitizer/  ThreadSanitizer; also tsan
#   coverage           build-coverage/          counts executed lines (scripts/coverage.sh)
#   clang              build-clang/             clang++ in place of g++, with AddressSanitizer and UBSan
#   fuzz               build-fuzz/              fuzzing targets, with clang++ (scripts/fuzz.sh)
#   cuda-compile-only  build-cuda/              the CUDA backend; needs nvcc, but no GPU; also cuda
#
# QUARTZ_UNITY_BUILD=ON in the environment has up to 24 files of a folder compiled as one, in any tree:
# quicker from scratch, slower after an edit. QUARTZ_QUICK_COMPILATION=ON has build/ compiled as `pip install` does:
# larger units still, without warnings.
#
# tidy runs clang-tidy with .clang-tidy on the files, or on all sources, and analyze g++ -fanalyzer
# (scripts/analyze_file.py).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
}

# A C++ compiler takes up to 1 GiB here: the number of processes is limited by the memory.
memory_gib=$(awk '/MemTotal/ {print int($2 / 1048576)}' /proc/meminfo)
jobs=$(nproc)
if ((memory_gib >= 1 && jobs > memory_gib)); then
  jobs=$memory_gib
fi

# Clones of the repository on one machine share the cache of ccache.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=true

# Succeeds if build/ is a tree of the preset unity. A change from it or to it drops its cached options.
tree_is_unity() {
  grep -qs '^QUARTZ_UNITY_BUILD:[A-Z]*=ON' build/CMakeCache.txt
}

configure() {
  local options=()
  if [[ -n ${QUARTZ_UNITY_BUILD:-} ]]; then
    options=("-DQUARTZ_UNITY_BUILD=$QUARTZ_UNITY_BUILD")
  else
    case $1 in
      release | perf) ! tree_is_unity || options=(--fresh) ;;
      unity) tree_is_unity || options=(--fresh) ;;
    esac
  fi
  if [[ -n ${QUARTZ_QUICK_COMPILATION:-} && $1 =~ ^(release|perf)$ ]]; then
    options+=("-DQUARTZ_QUICK_COMPILATION=$QUARTZ_QUICK_COMPILATION")
  fi
  cmake --preset "$1" "${options[@]}" --log-level=WARNING -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >/dev/null
}

tidy() {
  local files=("$@")
  if ((${#files[@]} == 0)); then
    mapfile -t files < <(find src apps -name '*.cpp' | sort)
  fi
  configure release
  printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "$jobs" clang-tidy --quiet -p build --warnings-as-errors='*' \
      2> >(grep -v ' warnings generated' >&2) # in headers of libraries, and not shown
}

analyze() {
  local files=("$@")
  if ((${#files[@]} == 0)); then
    mapfile -t files < <(find src apps -name '*.cpp' | sort)
  fi
  configure release
  printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "$jobs" "$PWD/scripts/analyze_file.py" build/compile_commands.json
}

case "${1:-}" in
  analyze) shift; analyze "$@"; exit ;;
  tidy) shift; tidy "$@"; exit ;;
  release | unity | perf | sanitize | thread-sanitizer | coverage | clang | fuzz | cuda-compile-only) preset=$1 ;;
  tsan) preset=thread-sanitizer ;;
  cuda) preset=cuda-compile-only ;;
  *) usage ;;
esac
shift
if [[ $preset == perf && $# == 0 ]]; then
  set -- quartz-perf
fi
configure "$preset"
cmake --build --preset "$preset" --parallel "$jobs" --target "${@:-all}"

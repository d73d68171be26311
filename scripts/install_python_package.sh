#!/usr/bin/env bash
# install_python_package.sh ENVIRONMENT
#
# Builds the Python package from this clone and installs it in a virtual environment that
# python_environment.sh has made. If nothing has changed, this takes a few seconds. It is built as the
# tree build/ is, with the same compiler, because ccache then has most objects from there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Clones of the repository on one machine share the cache of ccache.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=true
fi
export CC=${CC:-cc} CXX=${CXX:-c++}
# Prints a cached option of the tree, or what it is without a tree.
tree_option() {
  local value
  value=$(sed -n "s/^$1:[A-Z]*=//p" build/CMakeCache.txt 2>/dev/null || true)
  printf '%s' "${value:-$2}"
}
settings=()
for option in QUARTZ_UNITY_BUILD QUARTZ_QUICK_COMPILATION; do
  settings+=("--config-settings=cmake.define.$option=$(tree_option $option OFF)")
done
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
exec "$1/bin/python" -m pip --disable-pip-version-check --quiet install --no-build-isolation --no-deps "${settings[@]}" .

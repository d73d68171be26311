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
unity=OFF
if grep -qs '^QUARTZ_UNITY_BUILD:[A-Z]*=ON' build/CMakeCache.txt; then
  unity=ON
fi
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
exec "$1/bin/python" -m pip --disable-pip-version-check --quiet install \
  --no-build-isolation --no-deps --config-settings=cmake.define.QUARTZ_UNITY_BUILD="$unity" \
  --config-settings=cmake.define.QUARTZ_QUICK_COMPILATION=OFF .

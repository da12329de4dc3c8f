#!/usr/bin/env bash
# Makes the static site, for ./carom site --out DIR: packages, the core as WebAssembly, the pages.
# Exit code 2: bad options; 3: something could not be built.
set -euo pipefail
usage() {
  echo "./carom site --out DIR   writes a site of static files into DIR: the scenes, running; the laboratory; the guide."
  echo "DIR is made; it may have an older site in it, which is replaced. docs/site.md tells more."
}
out=""
while (($# > 0)); do
  case $1 in
    --out) [[ -n ${2:-} ]] || { echo "carom: --out needs a folder" >&2; exit 2; }; out=$2; shift 2 ;;
    --out=?*) out=${1#--out=}; shift ;;
    -h | --help) usage; exit ;;
    *) echo "carom: $1 is no option of site; ./carom site --help" >&2; exit 2 ;;
  esac
done
[[ -n $out ]] || { echo "carom: site needs --out DIR, the folder to write to" >&2; exit 2; }
out=$(readlink -m -- "$out")
cd "$(dirname "$(readlink -f "$0")")/.."
mkdir -p build/log

# One build at a time.
if [[ -z ${CAROM_BUILD_LOCKED:-} ]] && command -v flock >/dev/null; then
  export CAROM_BUILD_LOCKED=1
  exec flock --close build/wasm_lock tools/build_site.sh --out "$out"
fi

source tools/progress.sh

give_up() {
  echo "carom: $1; the end of $PWD/$2:" >&2
  tail -n 25 "$2" >&2
  exit 3
}

tools/install_dependencies.sh tool viewer site || exit 3
if [[ -e build/wasm/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" build/wasm/CMakeCache.txt; then
  rm -rf build/wasm
fi
log=build/log/build_wasm.log
what="building the core for browsers, this happens once and takes some minutes"
[[ ! -e build/wasm/carom.wasm ]] || what="building the core for browsers again after a change"
cmake --preset wasm >"$log" 2>&1 || give_up "the build for browsers could not be configured" "$log"
cmake --build build/wasm 2>&1 | tee -a "$log" | show_progress "$what" || give_up "the build for browsers failed" "$log"

packages=build/site_packages
mkdir -p "$packages"
if ! cmp -s viewer/package-lock.json "$packages/package-lock.json" || [[ ! -e $packages/are-there ]]; then
  cp viewer/package.json viewer/package-lock.json "$packages"
  (cd "$packages" && npm ci --ignore-scripts --no-audit --no-fund) >build/log/site_packages.log 2>&1 ||
    give_up "the packages of the pages could not be had" build/log/site_packages.log
  touch "$packages/are-there"
fi
node viewer/site.mjs --modules "$packages/node_modules" --core build/wasm --out "$out" || { code=$?; exit $((code == 2 ? 2 : 3)); }

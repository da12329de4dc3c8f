#!/usr/bin/env bash
# Brings build/release/carom up to date, for ./carom: packages, configuration, build. Silent if there is nothing to do.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
build=build/release
log=build/log/build_tool.log
mkdir -p build/log "$build"

# One build at a time; whoever waited finds it done.
if [[ -z ${CAROM_BUILD_LOCKED:-} ]] && command -v flock >/dev/null; then
  export CAROM_BUILD_LOCKED=1
  flock --close --nonblock --conflict-exit-code 75 build/lock tools/build_tool.sh && exit
  (($? == 75)) || exit 3
  echo "carom: waiting for another build in this folder" >&2
  exec flock --close build/lock tools/build_tool.sh
fi

source tools/progress.sh

give_up() {
  echo "carom: $1; the end of $PWD/$log:" >&2
  tail -n 25 "$log" >&2
  exit 3
}

tools/install_dependencies.sh tool
tools/install_dependencies.sh viewer || echo "carom: without node and npm, runs have no report.html" >&2

# A cache from another place (a moved or copied tree) is of no use.
if [[ -e $build/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$build/CMakeCache.txt"; then
  rm -rf "$build"
  mkdir -p "$build"
fi
what="building the tool, this happens once and takes a few minutes"
[[ ! -e $build/carom ]] || what="building the tool again after a change"

touch "$build/.tool-is-current.new"
if [[ ! -e $build/build.ninja || CMakePresets.json -nt $build/build.ninja ]]; then
  cmake --preset release >"$log" 2>&1 || give_up "the build could not be configured"
fi
cmake --build "$build" --target carom 2>&1 | tee "$log" | show_progress "$what" || give_up "the build failed"
mv "$build/.tool-is-current.new" "$build/.tool-is-current"

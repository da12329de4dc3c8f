#!/usr/bin/env bash
# Checks what Carom gives to other projects: tools/check_package.sh BUILD_FOLDER
# Installs the build into an empty prefix, builds the example against it, away from the source tree, and runs it.
# Then compiles the same example with Carom as a subproject.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
build=$(readlink -f "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

expect() {  # what, expected, found
  [[ $3 == "$2" ]] && return
  printf '%s: expected\n  %s\nbut found\n  %s\n' "$1" "$2" "$3" >&2
  exit 1
}

cmake --install "$build" --prefix "$work/prefix" >"$work/log"
cp -r "$root/examples/using_the_library" "$work/example"
cmake -S "$work/example" -B "$work/example/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix"
cmake --build "$work/example/build"
expect "examples/using_the_library" "u+ = -0.333333  0.666667  0.666667" "$("$work/example/build/cradle")"
expect "a sphere with friction" "u+ = 1.57143       0     2.4       0 15.7143       0
impulses =       5.4 -0.428571         0" "$("$work/example/build/friction")"
expect "a scene" "352 impacts" "$("$work/example/build/scene" "$root/scenes/newtons_cradle.toml" | tail -n 1 | cut -d, -f1)"
expect "headers outside carom/" "" "$(find "$work/prefix/include" -type f -not -path '*/include/carom/*')"
expect "headers that nobody needs" "" "$(find "$work/prefix/include" -name 'polyhedron.h' -o -name 'hdf5_run.h')"
expect "paths of libraries" "" "$(grep -hoE '/[^;" ]*lib[a-z0-9_]+\.(so|a)' "$work"/prefix/lib*/cmake/Carom/*.cmake "$work"/prefix/lib*/*/cmake/Carom/*.cmake 2>/dev/null | grep -v '^/lib' || true)"
expect "installed tool" "$("$build/carom" --version)" "$("$work/prefix/bin/carom" --version)"

mkdir "$work/subproject"
cp "$work/example/main.cpp" "$work/subproject"
cat >"$work/subproject/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(subproject LANGUAGES CXX)
add_subdirectory("$root" carom)
add_executable(cradle main.cpp)
target_link_libraries(cradle PRIVATE Carom::carom)
END
cmake -S "$work/subproject" -B "$work/subproject/build" -G Ninja -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/subproject/build" --target CMakeFiles/cradle.dir/main.cpp.o

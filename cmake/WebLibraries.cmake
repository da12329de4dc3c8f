# The libraries of Carom's core as headers for Emscripten. The system's folder of headers has those of its own C library
# too, which must not be seen: links to what is needed stand in a folder of the build.
set(CAROM_WEB_HEADERS ${PROJECT_BINARY_DIR}/libraries)

# header_library(TARGET FOLDER HEADER [DEFINITIONS...]): FOLDER is what has HEADER in it, below an include path.
function(header_library target folder header)
  find_path(found_${folder} ${folder}/${header} PATHS /usr/include /usr/local/include PATH_SUFFIXES eigen3 NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(MAKE_DIRECTORY ${CAROM_WEB_HEADERS})
  file(CREATE_LINK ${found_${folder}}/${folder} ${CAROM_WEB_HEADERS}/${folder} SYMBOLIC)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${CAROM_WEB_HEADERS})
  target_compile_definitions(${target} INTERFACE ${ARGN})
endfunction()

header_library(Eigen3::Eigen Eigen Core)
header_library(fmt::fmt fmt format.h FMT_HEADER_ONLY=1)
header_library(nlohmann_json::nlohmann_json nlohmann json.hpp)
header_library(tomlplusplus::tomlplusplus toml++ toml.h TOML_HEADER_ONLY=1)

# Eigen asks for this header of x86 beside those that Emscripten has, and uses nothing of it.
file(CONFIGURE OUTPUT ${CAROM_WEB_HEADERS}/mmintrin.h CONTENT "#pragma once\n")

#pragma once

#include <fmt/format.h>

#include <string>

namespace carom::testing {

/// A floor at y = 0 and walls at x = 0 and x = `width`, as text of a scene.
inline std::string open_box(double width) {
  return fmt::format(R"(
    [[wall]]
    name = "floor"
    shape = {{type = "plane", normal = [0, 1]}}
    [[wall]]
    name = "left"
    shape = {{type = "plane", normal = [1, 0]}}
    [[wall]]
    name = "right"
    shape = {{type = "plane", normal = [-1, 0]}}
    position = [{}, 0]
)",
                     width);
}

/// The same with a lid at y = `height`.
inline std::string closed_box(double width, double height) {
  return open_box(width) + fmt::format(R"(
    [[wall]]
    name = "lid"
    shape = {{type = "plane", normal = [0, -1]}}
    position = [0, {}]
)",
                                       height);
}

}  // namespace carom::testing

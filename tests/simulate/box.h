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

/// Balls of 20 mm let fall into a box just wide enough for them, in space and in steps of time.
struct DroppedBalls {
  int side, layers;
  double duration, step = 2e-3, mu = 0;
};
inline std::string dropped_balls(const DroppedBalls& balls) {
  return fmt::format(R"(
    dimension = 3
    gravity = 9.81
    duration = {duration}
    law = "newton"
    contact = {{mu = {mu}}}
    scheme = {{name = "time-stepping", step = {step}}}
    [[grid]]
    name = "ball"
    count = [{side}, {side}, {layers}]
    spacing = 0.041
    shape = {{type = "sphere", radius = 0.02}}
    density = 1000
    position = [0.03, 0.03, 0.04]
    jitter = 0.0004
    seed = 3
    [[wall]]
    name = "box"
    shapes = [
      {{type = "plane", normal = [0, 0, 1]}},
      {{type = "plane", normal = [1, 0, 0]}},
      {{type = "plane", normal = [-1, 0, 0], position = [{width}, 0, 0]}},
      {{type = "plane", normal = [0, 1, 0]}},
      {{type = "plane", normal = [0, -1, 0], position = [0, {width}, 0]}},
    ])",
                     fmt::arg("side", balls.side), fmt::arg("layers", balls.layers),
                     fmt::arg("width", 0.041 * balls.side + 0.02), fmt::arg("duration", balls.duration),
                     fmt::arg("step", balls.step), fmt::arg("mu", balls.mu));
}

}  // namespace carom::testing

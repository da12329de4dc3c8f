#pragma once

#include <fmt/format.h>

#include <string>

namespace carom::bench {

constexpr double kBallRadius = 0.02;  // [m]

/// Side [m] of the box of a pile.
inline double box_side(int side) {
  return 0.041 * side + 0.02;
}

/// What falls: one layer of each kind after the other.
enum class PileOf { balls, boxes, mixed };

inline std::string shape_of_layer(PileOf kind, int layer) {
  const std::string ball = fmt::format("{{type = \"sphere\", radius = {}}}", kBallRadius);
  const std::string box = "{type = \"box\", size = [0.034, 0.03, 0.026]}";
  if (kind == PileOf::balls) return ball;
  if (kind == PileOf::boxes) return box;
  switch (layer % 4) {
    case 0:
      return box;
    case 1:
      return ball;
    case 2:
      return "{type = \"capsule\", radius = 0.011, length = 0.016}";
    default:
      return "{type = \"polytope\", corners = [[0.018, 0, 0], [-0.018, 0, 0], [0, 0.018, 0], [0, -0.018, 0], "
             "[0, 0, 0.018], [0, 0, -0.018]]}";
  }
}

/// Bodies let fall into a wide box, until the pile rests: layers of side x side bodies, which collapse into each other.
inline std::string pile(PileOf kind, int side, int layers, const std::string& scheme = "") {
  std::string scene = fmt::format(R"(
    dimension = 3
    gravity = 9.81
    duration = 2
    law = "newton"
    contact = {{mu = 0.3}}
    scheme = {{name = "time-stepping", step = 2e-3{1}}}
    [[wall]]
    name = "floor"
    shape = {{type = "plane", normal = [0, 0, 1]}}
    [[wall]]
    name = "left"
    shape = {{type = "plane", normal = [1, 0, 0]}}
    [[wall]]
    name = "right"
    shape = {{type = "plane", normal = [-1, 0, 0]}}
    position = [{0}, 0, 0]
    [[wall]]
    name = "front"
    shape = {{type = "plane", normal = [0, 1, 0]}}
    [[wall]]
    name = "back"
    shape = {{type = "plane", normal = [0, -1, 0]}}
    position = [0, {0}, 0])",
                                  box_side(side), scheme);
  for (int layer = 0; layer < layers; ++layer)
    scene += fmt::format(R"(
    [[grid]]
    name = "layer{0}"
    count = [{1}, {1}, 1]
    spacing = 0.041
    shape = {2}
    density = 1000
    position = [0.03, 0.03, {3}]
    jitter = 0.0004
    seed = {4})",
                         layer, side, shape_of_layer(kind, layer), 0.04 + 0.041 * layer, 3 + layer);
  return scene;
}

inline std::string pile_of_balls(int side, int layers, const std::string& scheme = "") {
  return pile(PileOf::balls, side, layers, scheme);
}

}  // namespace carom::bench

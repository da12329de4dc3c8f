#pragma once

#include <fmt/format.h>

#include <string>

namespace carom::bench {

constexpr double kBallRadius = 0.02;  // [m]

/// Side [m] of the box of a pile.
inline double box_side(int side) {
  return 0.041 * side + 0.02;
}

/// Balls let fall into a wide box, until the pile rests: layers of side x side balls, which collapse into each other.
inline std::string pile_of_balls(int side, int layers, const std::string& scheme = "") {
  return fmt::format(R"(
    dimension = 3
    gravity = 9.81
    duration = 2
    law = "newton"
    contact = {{mu = 0.3}}
    scheme = {{name = "time-stepping", step = 2e-3{3}}}
    [[grid]]
    name = "ball"
    count = [{0}, {0}, {2}]
    spacing = 0.041
    shape = {{type = "sphere", radius = {4}}}
    density = 1000
    position = [0.03, 0.03, 0.04]
    jitter = 0.0004
    seed = 3
    [[wall]]
    name = "floor"
    shape = {{type = "plane", normal = [0, 0, 1]}}
    [[wall]]
    name = "left"
    shape = {{type = "plane", normal = [1, 0, 0]}}
    [[wall]]
    name = "right"
    shape = {{type = "plane", normal = [-1, 0, 0]}}
    position = [{1}, 0, 0]
    [[wall]]
    name = "front"
    shape = {{type = "plane", normal = [0, 1, 0]}}
    [[wall]]
    name = "back"
    shape = {{type = "plane", normal = [0, -1, 0]}}
    position = [0, {1}, 0])",
                     side, box_side(side), layers, scheme, kBallRadius);
}

}  // namespace carom::bench

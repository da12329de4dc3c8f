#pragma once

#include <fmt/format.h>

#include <string>

namespace carom::bench {

constexpr double kDominoTime = 0.3;  // [s]

/// Dominoes that stand free and fall on each other: impacts, chatter and contacts that stay closed, in one island.
inline std::string free_dominoes(int count) {
  return fmt::format(R"(
    gravity = 9.80665
    duration = {}
    law = "newton"
    [[chain]]
    name = "domino"
    count = {}
    shape = {{type = "box", size = [0.0077, 0.0432, 0.0219]}}
    density = 631
    position = [0, 0.0216]
    gap = 0.01386
    first = {{angular_velocity = -12, velocity = [0.2592, 0.0462]}}
    [[wall]]
    name = "ground"
    shape = "plane"
    [[pair]]
    bodies = ["domino", "ground"]
    mu = 0.9
    [[pair]]
    bodies = ["domino", "domino"]
    e = 0.54
    mu = 0.11)",
                     kDominoTime, count);
}

constexpr double kTowerStep = 5e-3;  // [s]

/// The scene tower.toml: ten boxes on each other.
inline std::string tower_of_boxes(double duration) {
  return fmt::format(R"(
    dimension = 3
    gravity = 9.81
    duration = {}
    law = "newton"
    contact = {{e = 0, mu = 0.5}}
    scheme = {{name = "time-stepping", step = {}}}
    [[chain]]
    name = "box"
    count = 10
    shape = {{type = "box", size = [0.3, 0.2, 0.1]}}
    mass = 1
    position = [0, 0, 0.05]
    direction = [0, 0, 1]
    [[wall]]
    name = "floor"
    shape = "plane")",
                     duration, kTowerStep);
}

}  // namespace carom::bench

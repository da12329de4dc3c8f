#pragma once

#include <string>
#include <utility>
#include <vector>

#include "carom/robots/robot.h"

namespace carom::robots {

/// What a scene of a robot needs besides it.
struct SceneOptions {
  std::string source;                      // the name of the robot's file, for the first line
  double e = 0, mu = 0.8;                  // [-] of contacts whose shapes say nothing; restitution of all and of stops
  double duration = 1;                     // [s]
  bool ground = false;                     // a plane at z = 0
  std::vector<std::pair<int, int>> apart;  // links that pass through each other, besides those that the file names;
                                           // -1: the ground
};

/// The scene as TOML, to be read and changed by people: what was left out as comments, the bodies, and the joints.
/// `poses` (links) are those at the start. Adds to `left_out` what only scenes cannot say.
std::string scene_text(const Robot& robot, const std::vector<Pose>& poses, const SceneOptions& options,
                       std::vector<std::string>& left_out);

}  // namespace carom::robots

#pragma once

#include "carom/robots/robot.h"
#include "carom/robots/xml.h"

namespace carom::robots {

/// The robot of a URDF file: `link` with `inertial` and `collision`, `joint` of the types fixed, revolute, continuous,
/// prismatic and floating with `limit` and `dynamics`. Other parts are listed in `left_out`.
/// Throws scene::ReadError.
Robot read_urdf(const Element& root, const ReadOptions& options);

}  // namespace carom::robots

#pragma once

#include "carom/robots/robot.h"
#include "carom/robots/xml.h"

namespace carom::robots {

/// The robot of an MJCF file (MuJoCo): bodies with `inertial` or the mass of their `geom`s, hinge, slide, ball and free
/// joints with range, damping, stiffness and ref, `geom`s that collide, defaults and classes, `exclude`. Several joints
/// of one body get light bodies between them. Other parts are listed in `left_out`. Throws scene::ReadError.
Robot read_mjcf(const Element& root, const ReadOptions& options);

}  // namespace carom::robots

#pragma once

#include "carom/geometry/shape.h"

namespace carom::geometry {

/// Whether a plane between two bounded bodies proves that they are farther apart than a distance. Much less work than
/// finding their contact points; false where it would take more.
bool are_apart(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double distance);

}  // namespace carom::geometry

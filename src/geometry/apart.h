#pragma once

#include "carom/geometry/shape.h"

namespace carom::geometry {

/// A lower bound of the distance of two bounded bodies, proven by a plane between them. Much less work than finding
/// their contact points. Once it is more than `enough` it is as good as that takes little more; 0 where it would not be
/// more than `enough`, or soon known to be.
double distance_at_least(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double enough);

}  // namespace carom::geometry

#pragma once

#include "carom/geometry/contact_point.h"
#include "carom/geometry/shape.h"

namespace carom::geometry {

/// contact_points of a half-space a and a shape b, all in closed form: corners of polytopes, the farthest point of
/// smooth shapes, points of the rims of a cylinder. Two half-spaces overlap without end (gap -infinity) unless they
/// face each other.
void half_space_contacts(const HalfSpace& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                         Dimension dimension, std::vector<ContactPoint>& points);

}  // namespace carom::geometry

#pragma once

#include <vector>

#include "carom/geometry/contact_point.h"
#include "carom/geometry/shape.h"

namespace carom::geometry {

/// Appends the points where a and b touch or nearly touch: the nearest one always, and every other one of a common face
/// or edge (vertices against faces, crossing edges) whose gap is at most `margin`. Smooth shapes have one, a box on a
/// floor two in the plane and four in space. Each point's gap is a smooth function of the poses while its feature
/// lasts, with rate normal . (velocity of b - velocity of a at the points).
/// Exchanging a and b gives the same points, mirrored.
void contact_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                    Dimension dimension, std::vector<ContactPoint>& points);

/// The nearest of them.
ContactPoint nearest_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            Dimension dimension);

}  // namespace carom::geometry

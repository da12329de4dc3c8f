#pragma once

#include <vector>

#include "geometry/feature.h"
#include "geometry/shape.h"

namespace carom::geometry {

/// One point of contact, or of nearest approach, of two shapes a and b.
///   gap = normal . (point_b - point_a),   normal is a's outward unit normal and minus b's.
/// The gap is the distance while the shapes are apart and minus the depth of interpenetration where they overlap.
struct ContactPoint {
  double gap = 0;            // [m]
  Vector3 point_a, point_b;  // [m] in the world, on the surfaces
  Vector3 normal;            // from a to b
  Feature feature;           // which parts of the surfaces meet: the same while both move a little
};

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

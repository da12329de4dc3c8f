#pragma once

#include "carom/geometry/feature.h"
#include "carom/geometry/pose.h"

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

}  // namespace carom::geometry

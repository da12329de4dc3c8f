#pragma once

#include "carom/geometry/shape.h"

namespace carom::geometry {

/// Shapes for those who do not know their names.
inline Shape ball_shape(double radius) {
  return Sphere{radius};
}
/// A round bar along x with round ends, 2 radius < length.
inline Shape bar_shape(double length, double radius) {
  return Capsule{radius, length / 2 - radius};
}

}  // namespace carom::geometry

#pragma once

#include "carom/geometry/space/curved_body.h"

namespace carom::geometry::space {

/// The separation of two parts a and b along n, s(n) = n . (x_b(-n) - x_a(n)): its largest value over all unit n across
/// their flat directions is their signed distance, and there the points have the common normal n,
///   t . (x_b - x_a) = 0 for both tangents t                                       [Glocker 2001, (2.10)].
struct CommonNormal {
  Vector3 normal;
  double residual = 0;  // [m] |t . (x_b - x_a)| left
  bool exists = false;  // false if no direction is across all flat ones
};

/// Newton's method on the sphere of normals from `start`, each step an ascent of s.
CommonNormal common_normal(const Piece& a, const Piece& b, const Vector3& start, Dimension dimension);

}  // namespace carom::geometry::space

#pragma once

#include <optional>

#include "carom/geometry/space/curved_body.h"

namespace carom::geometry::space {

/// Points of two parts that face each other along their common normal.
struct FacingPoints {
  Vector3 point_a, point_b, normal;
};

/// Newton's method on the points instead of the normal,
///   t_a . (x_b - x_a) = 0,  t_b . n_a = 0                                          [Glocker 2001, (2.10)],
/// for surfaces with flat places, where the point depends on the normal without bound. `a` or `b` is an ellipsoid or
/// superellipsoid, the other one too, or a corner, an edge, the rim or side of a cylinder; none otherwise.
std::optional<FacingPoints> facing_points(const Piece& a, const Piece& b, const Vector3& point_a,
                                          const Vector3& point_b);

}  // namespace carom::geometry::space

#pragma once

#include <optional>

#include "carom/geometry/pose.h"

namespace carom::geometry::space {

/// An edge, origin + s u, or a rim, origin + cos(s) u + sin(s) v.
struct Curve {
  enum class Kind { line, circle };
  Kind kind = Kind::line;
  Vector3 origin, u, v = Vector3::Zero();

  Vector3 at(double s) const;
  Vector3 slope(double s) const;
  Vector3 bend(double s) const;
};

/// Where two curves cross as seen along their common perpendicular.
struct Crossing {
  double s = 0, t = 0;          // parameters on a and b
  Vector3 point_a, point_b, n;  // n along n_guess
  double gap = 0;
};
/// Newton's method for r . a' = r . b' = 0, r = b(t) - a(s), from a crossing nearby. None where the curves are
/// parallel.
std::optional<Crossing> crossing(const Curve& a, double s, const Curve& b, double t, const Vector3& n_guess);

}  // namespace carom::geometry::space

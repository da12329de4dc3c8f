#pragma once

#include <array>

#include "carom/geometry/pose.h"

namespace carom::geometry::space {

/// A point of the difference b - a of two convex sets, with the points it came from and, where these are corners, their
/// numbers.
struct Difference {
  Vector3 point_a, point_b;
  int corner_a = 0, corner_b = 0;

  Vector3 value() const { return point_b - point_a; }
};

/// Up to four differences; `weights` makes the point of their hull nearest to the origin.
struct Simplex {
  std::array<Difference, 4> points;
  std::array<double, 4> weights{};
  int size = 0;

  Vector3 nearest() const;
  Vector3 point_a() const;
  Vector3 point_b() const;
  /// To the least subset whose hull has the nearest point, the last one, which is nearer than all before, among them;
  /// four stay if the origin lies inside.
  void reduce();
};

/// The distance of two convex sets a and b [Gilbert, Johnson, Keerthi 1988]: `support(d)` returns the Difference
/// farthest along d of all b - a. Ends when the distance is exact to `accuracy` relatively, when they overlap (four
/// points around the origin), or after a bounded number of steps.
template <class Support>
Simplex gjk(const Support& support, const Vector3& start, double accuracy) {
  constexpr int kMostSteps = 128;
  Simplex simplex;
  simplex.points[0] = support(start);
  simplex.size = 1;
  simplex.reduce();
  for (int step = 0; step < kMostSteps && simplex.size < 4; ++step) {
    const Vector3 v = simplex.nearest();
    const Difference next = support(-v);
    const double square = v.squaredNorm();
    if (!(square > 0) || v.dot(v - next.value()) <= accuracy * square) break;
    Simplex larger = simplex;
    larger.points[larger.size++] = next;
    larger.reduce();
    if (larger.size < 4 ? !(larger.nearest().squaredNorm() < square) : v.dot(next.value()) > 0) break;  // rounding
    simplex = larger;
  }
  return simplex;
}

}  // namespace carom::geometry::space

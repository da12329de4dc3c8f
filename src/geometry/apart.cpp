#include "carom/geometry/apart.h"

#include <cmath>

#include "carom/geometry/space/gjk.h"

namespace carom::geometry {
namespace {

constexpr int kMostPlanes = 12;              // that are tried
constexpr double kRoundingOfPlanes = 1e-12;  // of sizes and places

}  // namespace

bool are_apart(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double distance) {
  const Matrix3 R_a = pose_a.orientation.toRotationMatrix(), R_b = pose_b.orientation.toRotationMatrix();
  const Vector3 between = pose_b.position - pose_a.position;
  const double rounding = kRoundingOfPlanes * (reach(a) + reach(b) + between.norm());
  const auto support = [&](const Vector3& d) {
    return space::Difference{R_a * support_point(a, R_a.transpose() * -d),
                             between + R_b * support_point(b, R_b.transpose() * d)};
  };
  space::Simplex simplex;
  simplex.points[0] = support(-between);
  simplex.size = 1;
  simplex.reduce();
  for (int plane = 0; plane < kMostPlanes && simplex.size < 4; ++plane) {
    const Vector3 v = simplex.nearest();
    const double length = v.norm();
    if (!(length > distance + rounding)) return false;  // no plane can prove it
    const space::Difference next = support(-v);
    if (v.dot(next.value()) > (distance + rounding) * length) return true;
    simplex.points[simplex.size++] = next;
    simplex.reduce();
  }
  return false;
}

}  // namespace carom::geometry

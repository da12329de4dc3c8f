#include "carom/geometry/apart.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/space/gjk.h"

namespace carom::geometry {
namespace {

constexpr int kMostPlanes = 12;              // that are tried
constexpr double kGoodBound = 0.5;           // of the distance
constexpr double kRoundingOfPlanes = 1e-12;  // of sizes and places

}  // namespace

double distance_at_least(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double enough) {
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
  double proven = 0;
  for (int plane = 0; plane < kMostPlanes && simplex.size < 4; ++plane) {
    const Vector3 v = simplex.nearest();
    const double length = v.norm();
    if (!(length > enough + rounding)) break;  // no plane can prove it
    const space::Difference next = support(-v);
    proven = std::max(proven, v.dot(next.value()) / length - rounding);
    if (proven > enough && proven >= kGoodBound * length) break;
    simplex.points[simplex.size++] = next;
    simplex.reduce();
  }
  return proven > enough ? proven : 0;
}

}  // namespace carom::geometry

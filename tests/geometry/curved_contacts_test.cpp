// Pairs with an ellipsoid, a superellipsoid or a cylinder.

#include <fstream>

#include "geometry/space/common_normal.h"
#include "geometry/support.h"
#include "geometry_support.h"

namespace carom::geometry::testing {
namespace {

constexpr Dimension kPlane = Dimension::plane, kSpace = Dimension::space;

Ellipsoid random_ellipsoid(Generator& random, double aspect) {
  const auto axis = [&] { return std::pow(aspect, uniform(random, -0.5, 0.5)); };
  return {{axis(), axis(), axis()}};
}

Vector3 world_support(const Shape& shape, const Pose& pose, const Vector3& n) {
  return pose.to_world(support_point(shape, pose.orientation.conjugate() * n));
}
double separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vector3& n) {
  return n.dot(world_support(b, pose_b, -n) - world_support(a, pose_a, n));
}

/// How far the points are from facing each other along the normal, and from having it as their own.
double residual(const Ellipsoid& a, const Pose& pose_a, const Ellipsoid& b, const Pose& pose_b, const ContactPoint& p) {
  const auto normal = [](const Ellipsoid& e, const Pose& pose, const Vector3& point) {
    const Vector3 gradient = pose.to_local(point).cwiseQuotient(e.axes.cwiseAbs2());
    return Vector3((pose.orientation * gradient).normalized());
  };
  const double size = std::max(a.axes.maxCoeff(), b.axes.maxCoeff());
  const Vector3 across = p.point_b - p.point_a;
  return std::max({(across - p.gap * p.normal).norm() / size, (normal(a, pose_a, p.point_a) - p.normal).norm(),
                   (normal(b, pose_b, p.point_b) + p.normal).norm()});
}

TEST(GeometryCurvedContacts, AHundredThousandPairsOfEllipsoidsHaveACommonNormal) {
  Generator random(7);
  double worst = 0;
  int apart = 0, overlapping = 0;
  for (int i = 0; i < 100000; ++i) {
    const double aspect = i % 3 == 0 ? 20 : 3;
    const Ellipsoid a = random_ellipsoid(random, aspect), b = random_ellipsoid(random, aspect);
    const Pose pose_a = random_pose(random, kSpace, 1);
    Pose pose_b = random_pose(random, kSpace, 1);
    pose_b.position = pose_a.position + 5 * random_vector(random);
    if (i % 2 == 0) {
      const Vector3 n = (pose_b.position - pose_a.position).normalized();
      pose_b.position -= (separation(a, pose_a, b, pose_b, n) + uniform(random, -0.05, 0.1)) * n;
    }
    const ContactPoint p = nearest_points(a, pose_a, b, pose_b, kSpace);
    const double r = residual(a, pose_a, b, pose_b, p);
    if (!(r <= 1e-12)) ADD_FAILURE() << "pair " << i << ": residual " << r << ", gap " << p.gap;
    worst = std::max(worst, r);
    (p.gap > 0 ? apart : overlapping)++;
  }
  EXPECT_GT(apart, 10000);
  EXPECT_GT(overlapping, 10000);
  RecordProperty("worst_residual", std::to_string(worst));
}

}  // namespace
}  // namespace carom::geometry::testing

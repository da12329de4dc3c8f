// Pairs with an ellipsoid, a superellipsoid or a cylinder.

#include <cmath>

#include "geometry_support.h"
#include "random_share.h"

namespace carom::geometry::testing {
namespace {

Ellipsoid random_ellipsoid(Generator& random, double aspect) {
  const auto axis = [&] { return std::pow(aspect, uniform(random, -0.5, 0.5)); };
  return {{axis(), axis(), axis()}};
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
  const int pairs = carom::testing::share_of(100000);
  for (int i = 0; i < pairs; ++i) {
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
  EXPECT_GT(apart, pairs / 10);
  EXPECT_GT(overlapping, pairs / 10);
  RecordProperty("worst_residual", std::to_string(worst));
}

/// Overlapping a little: of all directions, sampled densely and refined, none separates the ellipsoids more.
TEST(GeometryCurvedContacts, TheDepthOfASlightOverlapIsTheLeastOfAllDirections) {
  Generator random(8);
  int overlapping = 0;
  for (int i = 0; i < 60; ++i) {
    const Ellipsoid a = random_ellipsoid(random, 20), b = random_ellipsoid(random, 20);
    const Pose pose_a = random_pose(random, kSpace, 1);
    Pose pose_b = random_pose(random, kSpace, 4);
    const ContactPoint far = nearest_points(a, pose_a, b, pose_b, kSpace);
    pose_b.position -= (far.gap + uniform(random, 0, 0.01)) * far.normal;
    const ContactPoint p = nearest_points(a, pose_a, b, pose_b, kSpace);
    if (p.gap < 0) ++overlapping;
    double most = -std::numeric_limits<double>::infinity();
    Vector3 best = p.normal;
    for (int k = 0; k < 3000; ++k) {
      const Vector3 n = random_vector(random).normalized();
      const double s = separation(a, pose_a, b, pose_b, n);
      if (s > most) {
        most = s;
        best = n;
      }
    }
    for (double spread = 0.05; spread > 1e-8; spread *= 0.97) {
      const Vector3 n = (best + spread * random_vector(random)).normalized();
      const double s = separation(a, pose_a, b, pose_b, n);
      if (s > most) {
        most = s;
        best = n;
      }
    }
    EXPECT_LE(most, p.gap + 1e-12) << "pair " << i << ", gap " << p.gap;
  }
  EXPECT_GT(overlapping, 30);
}

TEST(GeometryCurvedContacts, SuperellipsoidsWithNearlyFlatSidesFaceEachOther) {
  Generator random(9);
  const auto axis = [&] { return uniform(random, 0.2, 1); };
  const auto exponent = [&] { return 2 * std::pow(10, uniform(random, 0, 1)); };
  for (const Dimension dimension : {kPlane, kSpace})
    for (int i = 0; i < carom::testing::share_of(2000); ++i) {
      const Superellipsoid a{{axis(), axis(), axis()}, exponent(), exponent()};
      const std::vector<Shape> others = {Superellipsoid{{axis(), axis(), axis()}, exponent(), exponent()},
                                         Sphere{axis()},
                                         Box{{axis(), axis(), axis()}},
                                         Ellipsoid{{axis(), axis(), axis()}},
                                         Cylinder{axis(), axis()},
                                         Capsule{axis(), axis()}};
      const Shape& b = others[i % others.size()];
      const Pose pose_a = random_pose(random, dimension, 1);
      Pose pose_b = random_pose(random, dimension, 3);
      const ContactPoint far = nearest_points(a, pose_a, b, pose_b, dimension);
      pose_b.position -= (far.gap - uniform(random, -0.02, 0.1)) * far.normal;
      const ContactPoint p = nearest_points(a, pose_a, b, pose_b, dimension);
      EXPECT_LE((p.point_b - p.point_a - p.gap * p.normal).norm(), 1e-11) << i << ", gap " << p.gap;
      EXPECT_NEAR(separation(a, pose_a, b, pose_b, p.normal), p.gap, 1e-12) << i;
    }
}

/// A point inside an ellipse: the foot of the shortest normal.
TEST(GeometryCurvedContacts, AnEllipseAndADiscOnItsAxes) {
  const Ellipsoid ellipse{{2, 1, 1}};
  for (const Dimension dimension : {kPlane, kSpace}) {
    const auto gap = [&](double x, double y) {
      return nearest_points(ellipse, {}, Sphere{0.1}, {{x, y, 0}, Quaternion::Identity()}, dimension).gap;
    };
    EXPECT_NEAR(gap(3, 0), 0.9, 1e-14);
    EXPECT_NEAR(gap(0, 3), 1.9, 1e-14);
    EXPECT_NEAR(gap(0, 0.9), -0.2, 1e-14);
    EXPECT_NEAR(gap(1.9, 0), -0.2, 1e-14);  // within the radius of curvature 1/2 of the end
    EXPECT_NEAR(gap(0, 0), -1.1, 1e-14);
  }
}

}  // namespace
}  // namespace carom::geometry::testing

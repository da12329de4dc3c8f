#include "carom/geometry/shape.h"

#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "geometry_support.h"

namespace carom::geometry::testing {
namespace {

void expect_mass(const Shape& shape, Dimension dimension, double volume, const Vector3& inertia) {
  const MassProperties mass = mass_properties(shape, dimension);
  EXPECT_NEAR(mass.volume, volume, 1e-13 * volume);
  EXPECT_POINT_NEAR(mass.inertia.diagonal(), inertia, 1e-12 * inertia.norm());
  EXPECT_POINT_NEAR(mass.centre, Vector3::Zero(), 1e-13);
  EXPECT_LE((mass.inertia - Matrix3(mass.inertia.diagonal().asDiagonal())).norm(), 1e-12 * inertia.norm());
}

TEST(GeometryShape, MassOfABallADiscAndASegment) {
  expect_mass(Sphere{2}, Dimension::space, 32 * kPi / 3, Vector3::Constant(0.4 * 32 * kPi / 3 * 4));
  expect_mass(Sphere{2}, Dimension::plane, 4 * kPi, 4 * kPi * Vector3(1, 1, 2));
  expect_mass(Sphere{2}, Dimension::line, 4, 16.0 / 3 * Vector3(0, 1, 1));
}

TEST(GeometryShape, MassOfABoxAndOfTheSameBoxAsAPolytope) {
  const Box box{{1, 2, 3}};
  const Vector3 inertia = 48.0 / 3 * Vector3(13, 10, 5);
  expect_mass(box, Dimension::space, 48, inertia);
  std::vector<Vector3> corners;
  for (int i = 0; i < 8; ++i) corners.emplace_back((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 2 : -2, (i & 4) != 0 ? 3 : -3);
  expect_mass(convex_polytope(corners), Dimension::space, 48, inertia);
  expect_mass(box, Dimension::plane, 8, 8.0 / 3 * Vector3(4, 1, 5));
  expect_mass(convex_polytope(corners), Dimension::plane, 8, 8.0 / 3 * Vector3(4, 1, 5));
}

TEST(GeometryShape, SuperellipsoidsOfExponentTwoAreEllipsoidsAndOfLargeExponentsBoxes) {
  const Vector3 axes(1, 2, 3);
  const MassProperties round = mass_properties(Ellipsoid{axes}, Dimension::space);
  expect_mass(Superellipsoid{axes, 2, 2}, Dimension::space, round.volume, round.inertia.diagonal());
  const MassProperties flat = mass_properties(Box{axes}, Dimension::space);
  const MassProperties nearly = mass_properties(Superellipsoid{axes, 1e4, 1e4}, Dimension::space);
  EXPECT_NEAR(nearly.volume, flat.volume, 1e-6 * flat.volume);
  EXPECT_POINT_NEAR(nearly.inertia.diagonal(), flat.inertia.diagonal(), 1e-6 * flat.inertia.norm());
}

/// Second moments of a solid of revolution about x by Gauss's rule along x: pi/4 r^4 and x^2 pi r^2.
TEST(GeometryShape, MassOfACapsuleByQuadrature) {
  const double r = 0.7, l = 1.3;
  double volume = 0, across = 0, along = 0;
  constexpr int kSteps = 200000;
  for (int i = 0; i < kSteps; ++i) {
    const double angle = (i + 0.5) / kSteps * kPi / 2, x = l + r * std::sin(angle), w = r * std::cos(angle);
    const double dx = 2 * r * std::cos(angle) * kPi / 2 / kSteps;
    volume += kPi * w * w * dx;
    across += kPi / 4 * std::pow(w, 4) * dx;
    along += x * x * kPi * w * w * dx;
  }
  volume += kPi * r * r * 2 * l;
  across += kPi / 4 * std::pow(r, 4) * 2 * l;
  along += kPi * r * r * 2 * l * l * l / 3;
  const MassProperties mass = mass_properties(Capsule{r, l}, Dimension::space);
  EXPECT_NEAR(mass.volume, volume, 1e-9);
  EXPECT_POINT_NEAR(mass.inertia.diagonal(), Vector3(2 * across, along + across, along + across), 1e-9);
}

/// Sections across z are superellipses y <= b (1 - (x/a)^p)^(1/p), shrunk: both integrals by the midpoint rule in
/// angles.
TEST(GeometryShape, MassOfASuperellipsoidByQuadrature) {
  const double a = 1.2, b = 0.8, c = 0.6, p = 3, q = 4.5;
  constexpr int kSteps = 20000;
  const auto integral = [](auto f) {
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) {
      const double t = (i + 0.5) / kSteps * kPi / 2;
      sum += f(std::sin(t)) * std::cos(t) * kPi / 2 / kSteps;
    }
    return sum;
  };
  const auto width = [&](double x) { return std::pow(1 - std::pow(x, p), 1 / p); };
  const auto shrunk = [&](double z) { return std::pow(1 - std::pow(z, q), 1 / q); };
  const double area = 4 * integral(width), square = 4 * integral([&](double x) { return x * x * width(x); });
  const double x2 = 2 * a * a * a * b * c * square * integral([&](double z) { return std::pow(shrunk(z), 4); });
  const double y2 = x2 * b * b / (a * a);
  const double z2 = 2 * a * b * c * c * c * area * integral([&](double z) { return z * z * std::pow(shrunk(z), 2); });
  const MassProperties mass = mass_properties(Superellipsoid{{a, b, c}, p, q}, Dimension::space);
  const double volume = 2 * a * b * c * area * integral([&](double z) { return std::pow(shrunk(z), 2); });
  EXPECT_NEAR(mass.volume, volume, 1e-6 * volume);
  EXPECT_POINT_NEAR(mass.inertia.diagonal(), Vector3(y2 + z2, x2 + z2, x2 + y2), 1e-6 * x2);
  const MassProperties flat = mass_properties(Superellipsoid{{a, b, c}, p, q}, Dimension::plane);
  EXPECT_NEAR(flat.volume, a * b * area, 1e-6 * area);
  EXPECT_NEAR(flat.inertia(2, 2), a * b * (a * a + b * b) * square, 1e-6);
}

TEST(GeometryShape, MassOfACylinderAndAStadium) {
  const double r = 0.5, l = 1.5, volume = kPi * r * r * 2 * l;
  const double across = volume * (3 * r * r + 4 * l * l) / 12;
  expect_mass(Cylinder{r, l}, Dimension::space, volume, {volume * r * r / 2, across, across});
  expect_mass(Capsule{r, 0}, Dimension::plane, kPi * r * r, kPi * r * r * r * r / 4 * Vector3(1, 1, 2));
  const MassProperties stadium = mass_properties(Capsule{r, l}, Dimension::plane);
  EXPECT_NEAR(stadium.volume, kPi * r * r + 4 * r * l, 1e-14);
}

TEST(GeometryShape, MassOfATriangle) {
  const Polygon triangle = convex_polygon({{0, 0}, {3, 0}, {0, 3}});
  const MassProperties mass = mass_properties(triangle, Dimension::plane);
  EXPECT_NEAR(mass.volume, 4.5, 1e-14);
  EXPECT_POINT_NEAR(mass.centre, Vector3(1, 1, 0), 1e-14);
  EXPECT_NEAR(mass.inertia(2, 2), 4.5 * (9 + 9) / 18, 1e-13);
}

TEST(GeometryShape, TheHullOfPointsInAPlaneHasNoSuperfluousCorner) {
  std::vector<Eigen::Vector2d> points;
  for (int i = 0; i <= 4; ++i)
    for (int j = 0; j <= 4; ++j) points.emplace_back(i, 0.1 * j);
  EXPECT_EQ(convex_polygon(points).corners.size(), 4U);
  EXPECT_THROW(convex_polygon({{0, 0}, {1, 1}, {2, 2}}), InputError);
  EXPECT_THROW(convex_polygon({}), InputError);
}

std::vector<Shape> bounded_shapes() {
  Generator random(3);
  std::vector<Vector3> points;
  for (int i = 0; i < 30; ++i) points.push_back(random_vector(random));
  return {Sphere{0.7},
          Box{{0.5, 1, 0.3}},
          Capsule{0.3, 0.8},
          Cylinder{0.4, 0.6},
          Ellipsoid{{0.9, 0.4, 0.6}},
          Superellipsoid{{0.9, 0.4, 0.6}, 3, 5},
          convex_polytope(points)};
}

TEST(GeometryShape, BoundsAndReachHoldEveryPointAndAreReached) {
  Generator random(1);
  for (const Shape& shape : bounded_shapes()) {
    const Pose pose = random_pose(random, Dimension::space, 2);
    const Bounds box = bounds(shape, pose);
    const double far = reach(shape);
    Bounds seen;
    double farthest = 0;
    for (int i = 0; i < 100000; ++i) {
      const Vector3 local = support_point(shape, random_vector(random)), point = pose.to_world(local);
      seen.low = seen.low.cwiseMin(point);
      seen.high = seen.high.cwiseMax(point);
      farthest = std::max(farthest, local.norm());
    }
    EXPECT_LE((seen.high - box.high).maxCoeff(), 1e-14);
    EXPECT_LE((box.low - seen.low).maxCoeff(), 1e-14);
    EXPECT_POINT_NEAR(seen.high, box.high, 2e-3);
    EXPECT_POINT_NEAR(seen.low, box.low, 2e-3);
    EXPECT_LE(farthest, far * (1 + 1e-14));
    EXPECT_GE(farthest, far * (1 - 1e-3)) << shape.index();
  }
}

TEST(GeometryShape, AFloorIsBoundedAbove) {
  const Bounds box = bounds(HalfSpace{Vector3::UnitY()}, {{5, 2, 0}, Quaternion::Identity()});
  EXPECT_EQ(box.high.y(), 2);
  EXPECT_EQ(box.low.y(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(box.high.x(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace carom::geometry::testing

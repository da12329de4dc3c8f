#include "carom/geometry/contact_points.h"

#include "carom/base/error.h"
#include "geometry_support.h"

namespace carom::geometry::testing {
namespace {

constexpr Dimension kLine = Dimension::line;
const HalfSpace kFloor{Vector3::UnitY()};

Pose at(double x, double y, double z = 0) {
  return {{x, y, z}, Quaternion::Identity()};
}

void expect_consistent(const ContactPoint& p, double size) {
  EXPECT_NEAR(p.normal.norm(), 1, 1e-14);
  EXPECT_NEAR(p.gap, p.normal.dot(p.point_b - p.point_a), 1e-13 * size);
}

TEST(GeometryContactPoints, BallsOnTheLine) {
  const ContactPoint p = nearest_points(Sphere{1}, at(0, 0), Sphere{2}, at(4, 0), kLine);
  EXPECT_DOUBLE_EQ(p.gap, 1);
  EXPECT_POINT_NEAR(p.normal, Vector3::UnitX(), 0);
  EXPECT_POINT_NEAR(p.point_a, Vector3(1, 0, 0), 0);
  EXPECT_POINT_NEAR(p.point_b, Vector3(2, 0, 0), 0);
  EXPECT_DOUBLE_EQ(nearest_points(Sphere{1}, at(0, 0), HalfSpace{-Vector3::UnitX()}, at(3, 0), kLine).gap, 2);
  EXPECT_DOUBLE_EQ(nearest_points(Sphere{1}, at(0, 0), Sphere{1}, at(-1.5, 0), kLine).gap, -0.5);
}

TEST(GeometryContactPoints, HalfSpacesThatFaceEachOtherAndThoseThatDoNot) {
  const HalfSpace ceiling{-Vector3::UnitY()}, slope{Vector3(0.6, 0.8, 0)};
  EXPECT_DOUBLE_EQ(nearest_points(kFloor, at(3, 0), ceiling, at(7, 2), kPlane).gap, 2);
  EXPECT_EQ(nearest_points(kFloor, at(3, 0), slope, at(7, 2), kSpace).gap, -std::numeric_limits<double>::infinity());
}

TEST(GeometryContactPoints, WhatHasNoPlaceInTheDimensionIsRefused) {
  const HalfSpace wall{Vector3::UnitZ()};
  EXPECT_THROW(nearest_points(wall, {}, Sphere{}, {}, kPlane), InputError);
  EXPECT_THROW(nearest_points(kFloor, {}, Sphere{}, {}, kLine), InputError);
  EXPECT_THROW(nearest_points(convex_polygon({{0, 0}, {1, 0}, {0, 1}}), {}, Sphere{}, {}, kSpace), InputError);
}

TEST(GeometryContactPoints, DiscsAndBallsApartTouchingOverlapping) {
  for (const Dimension dimension : {kPlane, kSpace})
    for (const double distance : {3.5, 3.0, 2.5, 1e-9}) {
      const ContactPoint p =
          nearest_points(Sphere{1}, at(1, 1), Sphere{2}, at(1 + 0.6 * distance, 1 + 0.8 * distance), dimension);
      EXPECT_NEAR(p.gap, distance - 3, 1e-14);
      EXPECT_POINT_NEAR(p.normal, Vector3(0.6, 0.8, 0), distance > 1 ? 1e-14 : 1e-6);
      expect_consistent(p, 1);
    }
}

TEST(GeometryContactPoints, ConcentricBallsHaveTheSumOfTheirRadiiAsDepth) {
  for (const Dimension dimension : {kPlane, kSpace}) {
    const ContactPoint p = nearest_points(Sphere{1}, at(1, 1), Sphere{2}, at(1, 1), dimension);
    EXPECT_DOUBLE_EQ(p.gap, -3);
    expect_consistent(p, 1);
  }
}

TEST(GeometryContactPoints, ABoxOnAFloorStandsOnTwoCornersInThePlaneAndFourInSpace) {
  const Box box{{1, 0.5, 2}};
  const auto planar = contacts(kFloor, at(7, 0), box, at(0, 0.6), 0.2, kPlane);
  ASSERT_EQ(planar.size(), 2U);
  for (const ContactPoint& p : planar) EXPECT_NEAR(p.gap, 0.1, 1e-15);
  const auto spatial = contacts(box, at(0, 0.4), kFloor, at(0, 0, 7), 0.2, kSpace);
  ASSERT_EQ(spatial.size(), 4U);
  for (const ContactPoint& p : spatial) {
    EXPECT_NEAR(p.gap, -0.1, 1e-15);
    EXPECT_POINT_NEAR(p.normal, -Vector3::UnitY(), 1e-15);
    EXPECT_NEAR(std::abs(p.point_a.x()), 1, 1e-15);
    EXPECT_NEAR(std::abs(p.point_a.z()), 2, 1e-15);
  }
}

TEST(GeometryContactPoints, AnEllipsoidOnAFloorTouchesAtItsLowestPoint) {
  const Ellipsoid egg{{2, 1, 0.5}};
  const double angle = 0.3, height = std::hypot(2 * std::sin(angle), std::cos(angle));
  for (const Dimension dimension : {kPlane, kSpace}) {
    const ContactPoint p = nearest_points(kFloor, at(0, 0), egg, turned(3, 5, angle), dimension);
    EXPECT_NEAR(p.gap, 5 - height, 1e-14);
    EXPECT_NEAR(p.point_b.y(), 5 - height, 1e-14);
    EXPECT_NEAR(p.point_b.x(), 3 - (4 - 1) * std::sin(angle) * std::cos(angle) / height, 1e-14);
  }
}

TEST(GeometryContactPoints, ACylinderStandsOnFourPointsOfItsRimAndLiesOnTwo) {
  const Cylinder can{0.5, 1};
  const Pose upright{{0, 1, 0}, Quaternion(Eigen::AngleAxisd(1.5707963267948966, Vector3::UnitZ()))};
  const auto standing = contacts(kFloor, at(0, 0), can, upright, 0.1, kSpace);
  ASSERT_EQ(standing.size(), 4U);
  for (const ContactPoint& p : standing) {
    EXPECT_NEAR(p.gap, 0, 1e-15);
    EXPECT_NEAR(std::hypot(p.point_b.x(), p.point_b.z()), 0.5, 1e-15);
  }
  const auto lying = contacts(kFloor, at(0, 0), can, at(0, 0.5), 0.1, kSpace);
  ASSERT_EQ(lying.size(), 2U);
  for (const ContactPoint& p : lying) EXPECT_NEAR(std::abs(p.point_b.x()), 1, 1e-15);
  const Pose tilted{{0, 1.2, 0}, Quaternion(Eigen::AngleAxisd(1.2, Vector3::UnitZ()))};
  const auto rolling = contacts(kFloor, at(0, 0), can, tilted, 0.1, kSpace);
  ASSERT_FALSE(rolling.empty());
  EXPECT_NEAR(rolling[0].gap, 1.2 - std::sin(1.2) - 0.5 * std::cos(1.2), 1e-15);
}

TEST(GeometryContactPoints, StackedBoxesTouchAtTheCornersOfTheirCommonFace) {
  const Box box{{1, 0.5, 2}};
  for (const double shift : {0.0, 1e-12, 1e-5, 0.3}) {
    EXPECT_EQ(contacts(box, at(0, 0), box, at(shift, 1.01), 0.1, kPlane).size(), 2U) << shift;
    EXPECT_EQ(contacts(box, at(0, 0), box, at(shift, 1.01), 0.1, kSpace).size(), 4U) << shift;
    EXPECT_EQ(contacts(box, at(0, 0), box, at(shift, 0.99), 0.1, kSpace).size(), 4U) << shift;
  }
}

TEST(GeometryContactPoints, ABoxTurnedOnABoxTouchesAtTheEightCornersOfAnOctagon) {
  const Box box{{1, 0.5, 1}};
  const Pose turned_y{{0, 1, 0}, Quaternion(Eigen::AngleAxisd(0.7853981633974483, Vector3::UnitY()))};
  const auto points = contacts(box, at(0, 0), box, turned_y, 0.1, kSpace);
  EXPECT_EQ(points.size(), 8U);
  for (const ContactPoint& p : points) {
    EXPECT_NEAR(p.gap, 0, 1e-14);
    EXPECT_POINT_NEAR(p.normal, Vector3::UnitY(), 1e-14);
  }
}

TEST(GeometryContactPoints, ParallelCapsulesTouchAtTwoPoints) {
  const Capsule rod{0.2, 1};
  for (const Dimension dimension : {kPlane, kSpace}) {
    const auto points = contacts(rod, at(0, 0), rod, at(0.5, 0.4), 0.01, dimension);
    ASSERT_EQ(points.size(), 2U);
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(p.gap, 0, 1e-15);
      EXPECT_NEAR(std::abs(p.point_a.x() - 0.25), 0.75, 1e-15);
    }
  }
  const auto same = contacts(rod, at(0, 0), rod, at(0, 0), 0.01, kSpace);
  ASSERT_FALSE(same.empty());
  EXPECT_NEAR(same[0].gap, -0.4, 1e-15);
}

TEST(GeometryContactPoints, CrossedEdgesOfBoxesTouchAtOnePoint) {
  const double quarter = 0.7853981633974483, root = std::sqrt(2.0);
  const Pose below{{0, 0, 0}, Quaternion(Eigen::AngleAxisd(quarter, Vector3::UnitZ()))};
  for (const double gap : {0.1, 0.0, -0.1}) {
    const Pose above{{0.2, 2 * root + gap, 0.1}, Quaternion(Eigen::AngleAxisd(quarter, Vector3::UnitX()))};
    const auto points = contacts(Box{}, below, Box{}, above, 0.2, kSpace);
    ASSERT_EQ(points.size(), 1U);
    EXPECT_NEAR(points[0].gap, gap, 1e-14);
    EXPECT_POINT_NEAR(points[0].normal, Vector3::UnitY(), 1e-14);
    EXPECT_POINT_NEAR(points[0].point_a, Vector3(0, root, 0.1), 1e-14);
  }
}

}  // namespace
}  // namespace carom::geometry::testing

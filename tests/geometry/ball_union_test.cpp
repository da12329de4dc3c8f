#include "carom/geometry/ball_union.h"

#include <numbers>

#include "carom/geometry/shape.h"
#include "geometry_support.h"

namespace carom::geometry::testing {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(BallUnion, BallsApartAddUp) {
  const MassProperties two = union_of_balls({{{-2, 0, 0}, 1}, {{2, 0, 0}, 1}});
  const double V = 4.0 / 3 * kPi;
  EXPECT_NEAR(two.volume, 2 * V, 1e-14);
  EXPECT_NEAR(two.centre.norm(), 0, 1e-15);
  EXPECT_NEAR(two.inertia(0, 0), 2 * V * 0.4, 1e-13);
  EXPECT_NEAR(two.inertia(1, 1), 2 * V * (0.4 + 4), 1e-12);
}

TEST(BallUnion, WhatTwoBallsHaveInCommonCountsOnce) {
  // Two unit balls at distance 1: the lens has the volume 5/12 pi.
  const MassProperties two = union_of_balls({{{0, 0, 0}, 1}, {{0, 1, 0}, 1}});
  EXPECT_NEAR(two.volume, kPi * (8.0 / 3 - 5.0 / 12), 1e-14);
  EXPECT_NEAR((two.centre - Vector3(0, 0.5, 0)).norm(), 0, 1e-15);
  // About the axis: each ball is there up to the plane y = 1/2, pi/2 times the integral of (1 - y^2)^2 from -1 to 1/2.
  const auto primitive = [](double y) { return y - 2 * y * y * y / 3 + std::pow(y, 5) / 5; };
  EXPECT_NEAR(two.inertia(1, 1), kPi * (primitive(0.5) - primitive(-1)), 1e-14);
}

TEST(BallUnion, ABallInsideAnotherDoesNotCount) {
  const MassProperties one = union_of_balls({{{0.1, 0, 0}, 0.5}, {{0, 0, 0}, 1}});
  EXPECT_NEAR(one.volume, 4.0 / 3 * kPi, 1e-14);
  EXPECT_NEAR(one.centre.norm(), 0, 1e-16);
}

TEST(BallUnion, ThreeThatOverlapAgreeWithTwoWhereTheThirdIsCovered) {
  // The third is inside the union of the other two, and inside neither.
  const MassProperties two = union_of_balls({{{-0.3, 0, 0}, 1}, {{0.3, 0, 0}, 1}});
  const MassProperties three = union_of_balls({{{-0.3, 0, 0}, 1}, {{0, 0, 0}, 0.9}, {{0.3, 0, 0}, 1}});
  EXPECT_NEAR(three.volume, two.volume, 3e-5 * two.volume);
  EXPECT_NEAR((three.inertia - two.inertia).norm(), 0, 1e-4 * two.inertia.norm());
}

TEST(BallUnion, DoesNotDependOnTheOrder) {
  const std::vector<Ball> balls = {{{0, 0, 0}, 1}, {{1, 0, 0}, 0.5}, {{0, 1.2, 0.1}, 0.7}};
  const MassProperties a = union_of_balls(balls), b = union_of_balls({balls[2], balls[0], balls[1]});
  EXPECT_EQ(a.volume, b.volume);
  EXPECT_EQ(a.centre, b.centre);
}

}  // namespace
}  // namespace carom::geometry::testing

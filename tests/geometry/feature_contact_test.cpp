#include "carom/geometry/feature_contact.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace carom::geometry::testing {
namespace {

Pose turned(double x, double y, double angle) {
  return {{x, y, 0}, Quaternion(Eigen::AngleAxisd(angle, Vector3::UnitZ()))};
}

/// Every contact that is found by its feature is one of contact_points; returns how many there were.
int compare(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Dimension dimension) {
  std::vector<ContactPoint> points;
  contact_points(a, pose_a, b, pose_b, std::numeric_limits<double>::infinity(), dimension, points);
  int found = 0;
  for (const ContactPoint& point : points) {
    const auto same = feature_contact(a, pose_a, b, pose_b, point.feature, dimension);
    if (!same) continue;
    ++found;
    EXPECT_NEAR(same->gap, point.gap, 1e-14);
    EXPECT_LT((same->point_a - point.point_a).norm(), 1e-14);
    EXPECT_LT((same->point_b - point.point_b).norm(), 1e-14);
    EXPECT_LT((same->normal - point.normal).norm(), 1e-14);
    EXPECT_EQ(same->feature, point.feature);
  }
  return found;
}

TEST(FeatureContact, OfBoxesThatLeanOnEachOtherAndOnTheFloorItIsThatOfContactPoints) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  const Box box{{0.5, 1.5, 1}};
  const Polygon wedge = convex_polygon({{-1, 0}, {1, 0}, {0.3, 0.8}});
  int found = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Pose a = turned(0, 0, 7 * unit(random));
    const Pose b = turned(2.6 * unit(random) - 1.3, 1 + 1.5 * unit(random), 7 * unit(random));
    found += compare(box, a, wedge, b, Dimension::plane);
    found += compare(HalfSpace{Vector3::UnitY()}, turned(0, 0, 0.1), box, b, Dimension::plane);
    found += compare(wedge, b, HalfSpace{Vector3::UnitY()}, turned(0, 0, 0.1), Dimension::plane);
    const Pose tilted = {b.position, Quaternion(Eigen::AngleAxisd(unit(random), Vector3(1, 2, 3).normalized()))};
    found += compare(HalfSpace{Vector3::UnitZ()}, {}, box, tilted, Dimension::space);
  }
  EXPECT_GT(found, 10000);
}

TEST(FeatureContact, ThePlaceOfACornerOnASideIsFoundFromOneStateInAnother) {
  const Box lower{{2, 0.5, 1}}, upper{{0.5, 0.5, 1}};
  const Pose ground = turned(0, 0, 0);
  const ContactPoint start = nearest_points(lower, ground, upper, turned(0.2, 1.19, 0.5), Dimension::plane);
  const auto later = feature_contact(lower, ground, upper, turned(0.3, 1.2, 0.45), start.feature, Dimension::plane);
  ASSERT_TRUE(later);
  EXPECT_EQ(later->feature, nearest_points(lower, ground, upper, turned(0.3, 1.2, 0.45), Dimension::plane).feature);
}

TEST(FeatureContact, BeyondTheEndOfASideOnlyContactPointsKnows) {
  const Box lower{{2, 0.5, 1}}, upper{{0.5, 0.5, 1}};
  const ContactPoint start = nearest_points(lower, turned(0, 0, 0), upper, turned(1.5, 1.19, 0.5), Dimension::plane);
  EXPECT_TRUE(feature_contact(lower, {}, upper, turned(1.5, 1.19, 0.5), start.feature, Dimension::plane));
  EXPECT_FALSE(feature_contact(lower, {}, upper, turned(3.5, 1.19, 0.5), start.feature, Dimension::plane));
  EXPECT_FALSE(feature_contact(Sphere{1}, {}, upper, turned(0, 1.5, 0), start.feature, Dimension::plane));
  EXPECT_FALSE(feature_contact(lower, {}, upper, turned(1.5, 1.19, 0.5), start.feature, Dimension::line));
}

}  // namespace
}  // namespace carom::geometry::testing

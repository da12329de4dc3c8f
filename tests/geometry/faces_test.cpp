// Boxes that lie on each other: the contact points carry the upper one wherever the faces overlap.

#include <algorithm>

#include "geometry_support.h"
#include "random_share.h"

namespace carom::geometry::testing {
namespace {

using Vector2 = Eigen::Vector2d;

std::vector<Vector2> rectangle(const Vector2& half, const Vector2& centre, double yaw) {
  std::vector<Vector2> corners;
  for (const Vector2& sign : {Vector2(-1, -1), Vector2(1, -1), Vector2(1, 1), Vector2(-1, 1)})
    corners.emplace_back(centre + Eigen::Rotation2Dd(yaw) * sign.cwiseProduct(half));
  return corners;
}

/// The part of a convex polygon within |x| <= half.x, |y| <= half.y, cut off side by side.
std::vector<Vector2> clipped(std::vector<Vector2> polygon, const Vector2& half) {
  for (const Vector2& out : {Vector2(1, 0), Vector2(-1, 0), Vector2(0, 1), Vector2(0, -1)}) {
    const double limit = half.dot(out.cwiseAbs());
    std::vector<Vector2> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vector2 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
      const double over_p = out.dot(p) - limit, over_q = out.dot(q) - limit;
      if (over_p <= 0) kept.push_back(p);
      if ((over_p < 0 && over_q > 0) || (over_p > 0 && over_q < 0))
        kept.emplace_back(p + over_p / (over_p - over_q) * (q - p));
    }
    polygon = kept;
  }
  return polygon;
}

/// How far a set of points reaches along d: the same for two sets in all directions if their hulls are equal.
double width(const std::vector<Vector2>& points, const Vector2& d) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Vector2& p : points) most = std::max(most, d.dot(p));
  return most;
}
double narrowest(const std::vector<Vector2>& points) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 180; ++i) {
    const Vector2 d(std::cos(i * kPi / 180), std::sin(i * kPi / 180));
    least = std::min(least, width(points, d) + width(points, -d));
  }
  return least;
}

/// The upper box in the frame of the lower one, faces up to rounding parallel.
struct Stacked {
  Vector3 lower = Vector3::Ones(), upper = Vector3::Ones();  // half sizes
  Vector2 offset = Vector2::Zero();
  double yaw = 0, gap = 0;
};

Stacked random_stack(Generator& random) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto lengths = [&] {
    return Vector3(uniform(random, 0.2, 1), uniform(random, 0.2, 1), uniform(random, 0.05, 1));
  };
  Stacked stack;
  stack.lower = lengths();
  stack.upper = pick(2) == 0 ? stack.lower : lengths();
  if (pick(4) == 0) stack.upper *= 0.01;
  const std::array<double, 5> yaws = {0, kPi / 2, kPi, uniform(random, -4, 4), std::pow(10, uniform(random, -12, -2))};
  stack.yaw = yaws[pick(5)];
  for (int i = 0; i < 2; ++i) {
    const double sum = stack.lower[i] + stack.upper[i], difference = stack.lower[i] - stack.upper[i];
    const std::array<double, 5> offsets = {0, difference, -difference, 0.5 * stack.lower[i],
                                           uniform(random, -0.9, 0.9) * sum};
    stack.offset[i] = offsets[pick(5)];
    if (pick(4) == 0) stack.offset[i] += std::pow(10, uniform(random, -16, -3));
  }
  stack.gap = pick(3) == 0 ? uniform(random, -1e-7, 1e-9)
                           : (pick(2) == 0 ? -1e-7 : 1e-9) * std::pow(10, uniform(random, -8, 0));
  return stack;
}

void expect_support(const Stacked& stack, const Pose& frame) {
  const double size = std::min(stack.lower.maxCoeff(), stack.upper.maxCoeff());
  const Vector2 half = stack.lower.head<2>();
  const std::vector<Vector2> overlap = clipped(rectangle(stack.upper.head<2>(), stack.offset, stack.yaw), half);
  if (overlap.size() < 3 || narrowest(overlap) < 0.01 * size) return;
  const double gap = size * stack.gap, margin = 1e-8 * size;
  const Pose above{{stack.offset.x(), stack.offset.y(), stack.lower.z() + stack.upper.z() + gap},
                   Quaternion(Eigen::AngleAxisd(stack.yaw, Vector3::UnitZ()))};
  const auto points = contacts(Box{stack.lower}, frame, Box{stack.upper}, frame * above, margin, kSpace);
  std::vector<Vector2> feet;
  for (const ContactPoint& p : points) {
    ASSERT_TRUE(std::isfinite(p.gap) && p.point_a.allFinite() && p.point_b.allFinite() && p.normal.allFinite());
    EXPECT_NEAR(p.normal.norm(), 1, 1e-13);
    EXPECT_POINT_NEAR(frame.orientation.conjugate() * p.normal, Vector3::UnitZ(), 1e-7);
    EXPECT_NEAR(p.gap, gap, 1e-12 * (stack.lower.norm() + stack.upper.norm()));
    feet.emplace_back(frame.to_local(p.point_a).head<2>());
    feet.emplace_back(frame.to_local(p.point_b).head<2>());
  }
  double worst = 0;
  for (int i = 0; i < 360; ++i) {
    const Vector2 d(std::cos(i * kPi / 180), std::sin(i * kPi / 180));
    worst = std::max(worst, std::abs(width(feet, d) - width(overlap, d)));
  }
  EXPECT_LE(worst, 1e-6 * 2 * size) << points.size() << " points, lower " << stack.lower.transpose() << ", upper "
                                    << stack.upper.transpose() << ", offset " << stack.offset.transpose() << ", yaw "
                                    << stack.yaw << ", gap " << stack.gap;
}

TEST(GeometryFaces, ABoxOnABoxRestsOnTheCornersOfTheFacesOverlap) {
  Generator random(21);
  for (int i = 0; i < carom::testing::share_of(4000); ++i) {
    const Stacked stack = random_stack(random);
    expect_support(stack, {});
    expect_support(stack, random_pose(random, kSpace, 2));
    if (::testing::Test::HasFailure()) return;
  }
}

std::vector<Feature> features(const std::vector<ContactPoint>& points) {
  std::vector<Feature> result;
  for (const ContactPoint& p : points) result.push_back(p.feature);
  std::sort(result.begin(), result.end());
  return result;
}

TEST(GeometryFaces, ContactsOfAPlateOnAnEqualOneKeepTheirNamesWhateverRoundingDoes) {
  Generator random(23);
  for (const Dimension dimension : {kPlane, kSpace}) {
    const Box plate{{0.15, 0.1, 0.015}};
    const Pose above{dimension == kPlane ? Vector3(0, 0.2, 0) : Vector3(0, 0, 0.03), Quaternion::Identity()};
    const auto expected = features(contacts(plate, {}, plate, above, 1e-6, dimension));
    EXPECT_EQ(expected.size(), dimension == kPlane ? 2U : 4U);
    for (int i = 0; i < 1000; ++i) {
      const double size = std::pow(10, uniform(random, -16, -11));
      Vector3 v = size * random_vector(random), w = size * random_vector(random);
      if (dimension == kPlane) v.z() = w.x() = w.y() = 0;
      EXPECT_EQ(features(contacts(plate, {}, plate, moved(above, v, w, 1), 1e-6, dimension)), expected);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

/// Tilted by so little that all points of the overlap stay within a small margin.
TEST(GeometryFaces, ASlightlyTiltedBoxIsCarriedByTheSamePoints) {
  Generator random(24);
  for (int i = 0; i < carom::testing::share_of(2000); ++i) {
    const Vector3 half(uniform(random, 0.3, 1), uniform(random, 0.3, 1), 0.2);
    const double yaw = i % 3 == 0 ? 0 : i % 3 == 1 ? kPi / 2 : uniform(random, 0.1, 1.4);
    const double tilt = std::pow(10, uniform(random, -13, -6));
    const Vector2 offset(uniform(random, -0.2, 0.2), uniform(random, -0.2, 0.2));
    const Quaternion turn(Eigen::AngleAxisd(tilt, random_vector(random).normalized()));
    const Pose above{{offset.x(), offset.y(), 0.4 + tilt * uniform(random, -1, 1)},
                     turn * Quaternion(Eigen::AngleAxisd(yaw, Vector3::UnitZ()))};
    const auto points = contacts(Box{half}, {}, Box{half}, above, 10 * tilt, kSpace);
    const auto overlap = clipped(rectangle(half.head<2>(), offset, yaw), half.head<2>());
    std::vector<Vector2> feet;
    for (const ContactPoint& p : points) {
      ASSERT_TRUE(std::isfinite(p.gap) && p.point_a.allFinite() && p.point_b.allFinite() && p.normal.allFinite());
      EXPECT_POINT_NEAR(p.normal, Vector3::UnitZ(), 100 * tilt + 1e-12);
      EXPECT_GE(p.gap, points.front().gap - 1e-12);
      feet.emplace_back(p.point_a.head<2>());
    }
    for (int k = 0; k < 360; ++k) {
      const Vector2 d(std::cos(k * kPi / 180), std::sin(k * kPi / 180));
      EXPECT_NEAR(width(feet, d), width(overlap, d), 1e-5) << "yaw " << yaw << ", tilt " << tilt;
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(GeometryFaces, ARectangleOnARectangleRestsOnTheEndsOfTheSidesOverlap) {
  Generator random(22);
  for (int i = 0; i < carom::testing::share_of(4000); ++i) {
    const Stacked stack = random_stack(random);
    const double size = std::min(stack.lower.maxCoeff(), stack.upper.maxCoeff()), gap = size * stack.gap;
    const double left = std::max(-stack.lower.x(), stack.offset.x() - stack.upper.x());
    const double right = std::min(stack.lower.x(), stack.offset.x() + stack.upper.x());
    if (right - left < 0.01 * size) continue;
    const Pose frame = random_pose(random, kPlane, 2);
    const Pose above{{stack.offset.x(), stack.lower.y() + stack.upper.y() + gap, 0}, Quaternion::Identity()};
    const auto points = contacts(Box{stack.lower}, frame, Box{stack.upper}, frame * above, 1e-8 * size, kPlane);
    ASSERT_EQ(points.size(), 2U);
    std::vector<double> feet;
    for (const ContactPoint& p : points) {
      EXPECT_POINT_NEAR(frame.orientation.conjugate() * p.normal, Vector3::UnitY(), 1e-12);
      EXPECT_NEAR(p.gap, gap, 1e-12);
      feet.push_back(frame.to_local(p.point_a).x());
    }
    EXPECT_NEAR(std::min(feet[0], feet[1]), left, 1e-8);
    EXPECT_NEAR(std::max(feet[0], feet[1]), right, 1e-8);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace carom::geometry::testing

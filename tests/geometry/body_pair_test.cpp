#include "carom/geometry/body_pair.h"

#include <cmath>

#include "carom/base/error.h"
#include "geometry_support.h"
#include "random_share.h"

namespace carom::geometry::testing {
namespace {

/// A body moved on by t with constant velocities and accelerations, to second order and beyond.
MovingBody moved_on(const MovingBody& body, double t) {
  MovingBody later = body;
  later.pose.position += t * body.velocity + t * t / 2 * body.acceleration;
  const Vector3 turn = t * body.angular_velocity + t * t / 2 * body.angular_acceleration;
  if (turn.norm() > 0)
    later.pose.orientation = Quaternion(Eigen::AngleAxisd(turn.norm(), turn.normalized())) * body.pose.orientation;
  return later;
}

MovingBody random_body(Generator& random, const Shape& shape, const Pose& pose, Dimension dimension) {
  MovingBody body{.parts = {{shape, {}}}, .pose = pose};
  body.velocity = random_vector(random);
  body.angular_velocity = random_vector(random);
  body.acceleration = random_vector(random);
  body.angular_acceleration = random_vector(random);
  if (dimension == kPlane) {
    body.velocity.z() = body.acceleration.z() = 0;
    body.angular_velocity.head<2>().setZero();
    body.angular_acceleration.head<2>().setZero();
  }
  return body;
}

/// Every pair of kinds in plane and space, a little apart.
template <class Check>
void for_body_pairs(int rounds, Check&& check) {
  Generator random(23);
  for (int round = 0; round < carom::testing::share_of(rounds); ++round)
    for (const Dimension dimension : {kPlane, kSpace}) {
      const std::vector<Shape> of_a = shapes(random, dimension), of_b = shapes(random, dimension);
      for (const Shape& shape_a : of_a)
        for (const Shape& shape_b : of_b) {
          if (std::holds_alternative<HalfSpace>(shape_a) && std::holds_alternative<HalfSpace>(shape_b)) continue;
          const Pose pose_a = random_pose(random, dimension, 1);
          Pose pose_b = random_pose(random, dimension, 3);
          const ContactPoint p = nearest_points(shape_a, pose_a, shape_b, pose_b, dimension);
          pose_b.position -= (p.gap - uniform(random, 0.02, 0.5)) * p.normal;
          check(random_body(random, shape_a, pose_a, dimension), random_body(random, shape_b, pose_b, dimension),
                dimension, random);
        }
    }
}

/// The distance by looking everywhere: the farthest separation of all directions, first spread, then near the best.
double searched_distance(const MovingBody& a, const MovingBody& b, Dimension dimension, Generator& random) {
  const auto separation = [&](const Vector3& n) {
    const auto farthest = [&](const MovingBody& body, const Vector3& d) -> Vector3 {
      return body.pose.to_world(support_point(body.parts[0].shape, body.pose.orientation.conjugate() * d));
    };
    return n.dot(farthest(b, -n) - farthest(a, n));
  };
  Vector3 best = Vector3::UnitX();
  double most = separation(best);
  for (int i = 0; i < 6000; ++i) {
    const double spread = i < 400 ? 10 : std::pow(10, uniform(random, -7, 0));
    Vector3 n = best + spread * random_vector(random);
    if (dimension == kPlane) n.z() = 0;
    n.normalize();
    if (const double found = separation(n); found > most) {
      most = found;
      best = n;
    }
  }
  return most;
}

TEST(BodyPair, TheDistanceIsWhatASearchOverDirectionsFinds) {
  int checked = 0;
  for_body_pairs(2, [&](const MovingBody& a, const MovingBody& b, Dimension dimension, Generator& random) {
    if (!std::isfinite(reach(a.parts[0].shape)) || !std::isfinite(reach(b.parts[0].shape))) return;
    const BodyPair pair = body_pair(a, b, dimension);
    const double searched = searched_distance(a, b, dimension, random);
    EXPECT_LE(searched, pair.point.gap + 1e-10);
    EXPECT_NEAR(searched, pair.point.gap, 2e-3);
    ++checked;
  });
  EXPECT_GT(checked, 50);
}

TEST(BodyPair, ExchangingTheBodiesMirrorsThePair) {
  for_body_pairs(4, [](const MovingBody& a, const MovingBody& b, Dimension dimension, Generator&) {
    const BodyPair one = body_pair(a, b, dimension), other = body_pair(b, a, dimension);
    EXPECT_NEAR(one.point.gap, other.point.gap, 1e-11);
    EXPECT_LE((one.point.normal + other.point.normal).norm(), 1e-6);
    EXPECT_NEAR(one.gap_rate, other.gap_rate, 1e-5);
    EXPECT_EQ(one.as_near.size(), other.as_near.size());
  });
}

TEST(BodyPair, ARigidMotionOfBothAndOtherUnitsChangeNothing) {
  for_body_pairs(4, [](const MovingBody& a, const MovingBody& b, Dimension dimension, Generator& random) {
    const BodyPair pair = body_pair(a, b, dimension);
    const Pose motion = random_pose(random, dimension, 5);
    const double unit = 1e3;
    const auto moved = [&](MovingBody body) {
      body.pose = motion * body.pose;
      body.pose.position *= unit;
      std::visit([&](auto& shape) { shape.scale(unit); }, body.parts[0].shape);
      for (Vector3* v : {&body.velocity, &body.acceleration}) *v = unit * (motion.orientation * *v);
      for (Vector3* v : {&body.angular_velocity, &body.angular_acceleration}) *v = motion.orientation * *v;
      return body;
    };
    const BodyPair other = body_pair(moved(a), moved(b), dimension);
    EXPECT_NEAR(other.point.gap, unit * pair.point.gap, 1e-9 * unit);
    EXPECT_NEAR(other.gap_rate, unit * pair.gap_rate, 1e-5 * unit);
    EXPECT_LE((other.point.normal - motion.orientation * pair.point.normal).norm(), 1e-6);
    EXPECT_EQ(other.is_unique(), pair.is_unique());
  });
}

TEST(BodyPair, RateAndAccelerationOfTheGapAreItsDerivatives) {
  int seen = 0, checked = 0;
  for_body_pairs(6, [&](const MovingBody& a, const MovingBody& b, Dimension dimension, Generator&) {
    ++seen;
    const double h = 1e-4;
    const BodyPair pair = body_pair(a, b, dimension);
    const auto at = [&](double t) { return body_pair(moved_on(a, t), moved_on(b, t), dimension).point; };
    const ContactPoint before = at(-h), later = at(h);
    const double rate = (later.gap - before.gap) / (2 * h);
    const double acceleration = (later.gap - 2 * pair.point.gap + before.gap) / (h * h);
    if (before.feature != pair.point.feature || later.feature != pair.point.feature) return;
    // a surface that hardly bends, or bends much, makes higher derivatives large
    if (std::max(pair.curvature_a.most, pair.curvature_b.most) > 1e3 &&
        std::max(pair.curvature_a.most, pair.curvature_b.most) < 1e9)
      return;
    EXPECT_NEAR(pair.gap_rate, rate, 1e-4);
    EXPECT_NEAR(pair.gap_acceleration, acceleration, 2e-2 * (1 + std::abs(acceleration)))
        << a.parts[0].shape.index() << " " << b.parts[0].shape.index() << " " << static_cast<int>(dimension);
    ++checked;
  });
  EXPECT_GT(checked, seen / 2);
}

/// A ball over a plane: gap = y - r, and the point follows.
TEST(BodyPair, ABallOverAPlane) {
  MovingBody floor{.parts = {{HalfSpace{Vector3::UnitY()}, {}}}};
  MovingBody ball{.parts = {{Sphere{0.5}, {}}}, .pose = {{2, 1.5, 0}}, .velocity = {3, -1, 0}};
  ball.angular_velocity = {0, 0, 7};
  ball.acceleration = {0, -9.81, 0};
  const BodyPair pair = body_pair(floor, ball, kPlane);
  EXPECT_NEAR(pair.point.gap, 1, 1e-15);
  EXPECT_NEAR(pair.gap_rate, -1, 1e-15);
  EXPECT_NEAR(pair.gap_acceleration, -9.81, 1e-14);
  EXPECT_NEAR(pair.slip.x(), 3 + 7 * 0.5, 1e-14);
  EXPECT_TRUE(pair.is_unique());
  EXPECT_NEAR(effective_radius(pair.relative), 0.5, 1e-15);
}

/// Two balls that pass each other: g = |d| - r_a - r_b, g'' = (|v|^2 - g'^2) / |d|.
TEST(BodyPair, TwoBallsThatPass) {
  const MovingBody a{.parts = {{Sphere{1}, {}}}, .velocity = {0, 0, 0}};
  const MovingBody b{.parts = {{Sphere{2}, {}}}, .pose = {{0, 5, 0}}, .velocity = {3, -1, 2}};
  const BodyPair pair = body_pair(a, b, kSpace);
  EXPECT_NEAR(pair.gap_rate, -1, 1e-15);
  EXPECT_NEAR(pair.gap_acceleration, (14 - 1) / 5.0, 1e-14);
  EXPECT_NEAR(effective_radius(pair.relative), 2.0 / 3, 1e-14);
  EXPECT_NEAR(*pair.interference, -2, 1e-15);
}

TEST(BodyPair, ParallelFacesAndEdgesAreNotUniqueAndTheSmallestTurnMakesThem) {
  const MovingBody floor{.parts = {{Box{{1, 0.5, 1}}, {}}}};
  MovingBody cube{.parts = {{Box{{0.2, 0.2, 0.2}}, {}}}, .pose = {{0.1, 0.8, 0}}};
  EXPECT_EQ(body_pair(floor, cube, kSpace).as_near.size(), 4U);
  EXPECT_EQ(body_pair(floor, cube, kPlane).as_near.size(), 2U);
  cube.pose.orientation = Quaternion(Eigen::AngleAxisd(0.01, Vector3::UnitZ()));
  EXPECT_EQ(body_pair(floor, cube, kSpace).as_near.size(), 2U);
  EXPECT_EQ(body_pair(floor, cube, kPlane).as_near.size(), 1U);
}

TEST(BodyPair, OfACompoundBodyTheNearestPartCounts) {
  const MovingBody dumbbell{.parts = {{Sphere{0.1}, {{-1, 0, 0}}}, {Sphere{0.1}, {{1, 0, 0}}}}};
  MovingBody ball{.parts = {{Sphere{0.5}, {}}}, .pose = {{3, 0, 0}}};
  EXPECT_EQ(body_pair(dumbbell, ball, kSpace).part_a, 1);
  EXPECT_NEAR(body_pair(dumbbell, ball, kSpace).point.gap, 1.4, 1e-15);
  ball.pose.position = {0, 2, 0};
  EXPECT_EQ(body_pair(dumbbell, ball, kSpace).as_near.size(), 2U);
  EXPECT_THROW(body_pair({}, ball, kSpace), InputError);
  const MovingBody floor{.parts = {{HalfSpace{Vector3::UnitY()}, {}}}};
  EXPECT_THROW(body_pair(floor, floor, kSpace), InputError);
  MovingBody corner = floor;  // of a floor and a wall
  corner.parts.push_back({HalfSpace{Vector3::UnitX()}, {}});
  EXPECT_NEAR(body_pair(corner, ball, kSpace).point.gap, -0.5, 1e-15);
}

}  // namespace
}  // namespace carom::geometry::testing

#pragma once

#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <vector>

#include "carom/geometry/contact_points.h"
#include "carom/geometry/shape.h"

namespace carom::geometry::testing {

using Generator = std::mt19937_64;

inline constexpr Dimension kPlane = Dimension::plane, kSpace = Dimension::space;
inline constexpr double kPi = std::numbers::pi;

inline double uniform(Generator& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
inline Vector3 random_vector(Generator& random) {
  return {uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1)};
}
inline Pose turned(double x, double y, double angle) {
  return {{x, y, 0}, Quaternion(Eigen::AngleAxisd(angle, Vector3::UnitZ()))};
}
/// A pose that the dimension allows, at most `far` from the origin in each coordinate.
inline Pose random_pose(Generator& random, Dimension dimension, double far) {
  Pose pose;
  pose.position = far * random_vector(random);
  if (dimension == Dimension::line) pose.position.tail<2>().setZero();
  if (dimension == Dimension::plane) pose = turned(pose.position.x(), pose.position.y(), uniform(random, -4, 4));
  if (dimension == Dimension::space)
    pose.orientation =
        Quaternion(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1))
            .normalized();
  return pose;
}

/// One of each kind that the dimension has, of random sizes.
inline std::vector<Shape> shapes(Generator& random, Dimension dimension) {
  const auto length = [&] { return uniform(random, 0.2, 1.0); };
  const auto lengths = [&] { return Vector3(length(), length(), length()); };
  std::vector<Shape> result = {Sphere{length()},
                               Box{lengths()},
                               Capsule{length(), length()},
                               Cylinder{length(), length()},
                               Ellipsoid{lengths()},
                               Superellipsoid{lengths(), uniform(random, 2, 5), uniform(random, 2, 5)},
                               HalfSpace{dimension == Dimension::line ? Vector3::UnitX() : Vector3::UnitY()}};
  if (dimension == Dimension::line) return result;
  if (dimension == kPlane) {
    std::vector<Eigen::Vector2d> points;
    for (int i = 0; i < 9; ++i) points.emplace_back(random_vector(random).head<2>());
    for (int i = 0; i < 4; ++i) points.emplace_back(0.3 * std::cos(1.6 * i), 0.3 * std::sin(1.6 * i));
    result.emplace_back(convex_polygon(points));
  } else {
    std::vector<Vector3> points;
    for (int i = 0; i < 9; ++i) points.push_back(random_vector(random));
    for (int i = 0; i < 3; ++i) points.insert(points.end(), {0.3 * Vector3::Unit(i), -0.3 * Vector3::Unit(i)});
    result.emplace_back(convex_polytope(points));
  }
  return result;
}

inline std::vector<ContactPoint> contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                          double margin, Dimension dimension) {
  std::vector<ContactPoint> points;
  contact_points(a, pose_a, b, pose_b, margin, dimension, points);
  return points;
}

/// The pose after a time t at the velocities v and w.
inline Pose moved(const Pose& pose, const Vector3& v, const Vector3& w, double t) {
  const double angle = w.norm() * t;
  const Quaternion turn(Eigen::AngleAxisd(angle, w.norm() > 0 ? Vector3(w / w.norm()) : Vector3::UnitZ()));
  return {pose.position + t * v, turn * pose.orientation};
}

/// The point of a shape farthest along n, in the world.
inline Vector3 world_support(const Shape& shape, const Pose& pose, const Vector3& n) {
  return pose.to_world(support_point(shape, pose.orientation.conjugate() * n));
}

#define EXPECT_POINT_NEAR(actual, expected, tolerance)                                              \
  do {                                                                                              \
    const carom::Vector3 a_ = (actual), e_ = (expected);                                            \
    EXPECT_LE((a_ - e_).norm(), (tolerance)) << a_.transpose() << " instead of " << e_.transpose(); \
  } while (false)

}  // namespace carom::geometry::testing

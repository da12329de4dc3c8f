// One body on another: the points of contact must tell of every small motion how deep it would bring the bodies into
// each other. A point that is missing shows as a motion that no point resists.

#include <algorithm>
#include <cmath>
#include <string>

#include "geometry_support.h"
#include "random_share.h"

namespace carom::geometry::testing {
namespace {

using carom::testing::share_of;

struct Named {
  std::string name;
  Shape shape;
};

Quaternion turn(double angle, const Vector3& axis) {
  return Quaternion(Eigen::AngleAxisd(angle, axis));
}

double gap(const Shape& lower, const Pose& below, const Shape& upper, const Pose& above) {
  return nearest_points(lower, below, upper, above, kSpace).gap;
}

/// Down along y onto the lower one.
Pose put_on(const Shape& lower, const Pose& below, const Shape& upper, Pose above) {
  double high = 5, low = 0;
  while (high - low > 1e-14) {
    above.position.y() = 0.5 * (high + low);
    (gap(lower, below, upper, above) > 0 ? high : low) = above.position.y();
  }
  return above;
}

/// Four points stand for the rim of an end, and where it is cut off, those of the cut.
double rim_between_points(const Shape& shape) {
  const Cylinder* can = std::get_if<Cylinder>(&shape);
  return can == nullptr ? 0 : 0.35 * can->radius;
}

/// The largest error of what points tell of turns by a small angle, over the angle.
double unseen(const Shape& lower, const Pose& below, const Shape& upper, const Pose& above, Generator& random) {
  const double angle = 1e-6;
  const auto points = contacts(lower, below, upper, above, 10 * angle, kSpace);
  double most = 0;
  for (int i = 0; i < 12; ++i) {
    const Vector3 w =
        i < 8 ? Vector3(std::cos(i * kPi / 4), 0, std::sin(i * kPi / 4)) : random_vector(random).normalized();
    double told = std::numeric_limits<double>::infinity();
    for (const ContactPoint& p : points)
      told = std::min(told, p.gap + angle * p.normal.dot(w.cross(p.point_b - above.position)));
    most = std::max(most, std::abs(gap(lower, below, upper, moved(above, Vector3::Zero(), w, angle)) - told) / angle);
  }
  return most;
}

TEST(GeometryRestingContacts, NoSmallTurnGoesWherePointsDoNotSee) {
  Generator random(5);
  const std::vector<Named> all = {{"ball", Sphere{0.3}},
                                  {"short capsule", Capsule{0.2, 0.2}},
                                  {"long capsule", Capsule{0.2, 1.1}},
                                  {"flat can", Cylinder{0.5, 0.15}},
                                  {"long can", Cylinder{0.2, 0.8}},
                                  {"box", Box{{0.5, 0.3, 0.4}}},
                                  {"plate", Box{{1, 0.1, 1}}},
                                  {"post", Box{{0.1, 0.6, 0.1}}}};
  const std::vector<Quaternion> flat = {Quaternion::Identity(), turn(kPi / 2, Vector3::UnitZ()),
                                        turn(kPi / 2, Vector3::UnitX()), turn(kPi / 2, Vector3::UnitY())};
  int looked_at = 0;
  for (const Named& lower : all)
    for (const Named& upper : all)
      for (const Quaternion& of_lower : flat)
        for (const Quaternion& of_upper : flat)
          for (int i = 0; i < share_of(6); ++i) {
            const Pose below{Vector3::Zero(), of_lower};
            const Quaternion yaw = turn(i == 0 ? 0 : uniform(random, -3, 3), Vector3::UnitY());
            Pose above{{uniform(random, -0.4, 0.4), 0, uniform(random, -0.4, 0.4)}, yaw * of_upper};
            if (gap(lower.shape, below, upper.shape, above) > -0.02) continue;  // would fall past it
            above = put_on(lower.shape, below, upper.shape, above);
            const double side = nearest_points(lower.shape, below, upper.shape, above, kSpace).normal.y();
            if (side < 0.999) continue;
            ++looked_at;
            EXPECT_LE(unseen(lower.shape, below, upper.shape, above, random),
                      1e-3 + std::max(rim_between_points(lower.shape), rim_between_points(upper.shape)))
                << upper.name << " on " << lower.name << ", turned by " << above.orientation.coeffs().transpose()
                << " on " << below.orientation.coeffs().transpose() << ", at " << above.position.transpose();
          }
  EXPECT_GT(looked_at, share_of(500));
}

TEST(GeometryRestingContacts, WhatLiesOnAnEndAndJutsOutTouchesItsRimTwice) {
  const Cylinder post{0.5, 1};
  const Pose upright{{0, 0, 0}, turn(kPi / 2, Vector3::UnitZ())};
  for (const Shape& bar : {Shape(Capsule{0.2, 3}), Shape(Cylinder{0.2, 3})}) {
    const auto points = contacts(post, upright, bar, {{0.7, 1.2, 0.3}, Quaternion::Identity()}, 1e-3, kSpace);
    ASSERT_EQ(points.size(), 2U);
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(p.gap, 0, 1e-14);
      EXPECT_NEAR(std::abs(p.point_a.x()), 0.4, 1e-14);
      EXPECT_NEAR(p.point_b.z(), 0.3, 1e-14);
    }
  }
}

}  // namespace
}  // namespace carom::geometry::testing

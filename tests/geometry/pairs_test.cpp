// What holds for the contact points of every pair of shapes.

#include <functional>

#include "carom/geometry/apart.h"
#include "geometry_support.h"
#include "random_share.h"

namespace carom::geometry::testing {
namespace {

struct Pair {
  Shape a, b;
  Pose pose_a, pose_b;
  Dimension dimension = kSpace;

  std::vector<ContactPoint> points(double margin) const { return contacts(a, pose_a, b, pose_b, margin, dimension); }
  ContactPoint nearest() const { return nearest_points(a, pose_a, b, pose_b, dimension); }
  std::string name() const {
    return std::to_string(a.index()) + " and " + std::to_string(b.index()) + " in dimension " +
           std::to_string(static_cast<int>(dimension));
  }
};

/// Pairs of all kinds in plane and space, near each other: gaps between `low` and `high`.
void for_pairs(int rounds, double low, double high, const std::function<void(const Pair&, Generator&)>& check) {
  Generator random(11);
  for (int round = 0; round < carom::testing::share_of(rounds); ++round)
    for (const Dimension dimension : {kPlane, kSpace}) {
      const std::vector<Shape> of_a = shapes(random, dimension), of_b = shapes(random, dimension);
      for (const Shape& a : of_a)
        for (const Shape& b : of_b) {
          if (std::holds_alternative<HalfSpace>(a) && std::holds_alternative<HalfSpace>(b)) continue;
          Pair pair{a, b, random_pose(random, dimension, 1), random_pose(random, dimension, 3), dimension};
          const ContactPoint p = pair.nearest();
          pair.pose_b.position -= (p.gap - uniform(random, low, high)) * p.normal;
          check(pair, random);
        }
    }
}

double separation(const Pair& pair, const Vector3& n) {
  return n.dot(world_support(pair.b, pair.pose_b, -n) - world_support(pair.a, pair.pose_a, n));
}
bool unbounded(const Pair& pair) {
  return std::holds_alternative<HalfSpace>(pair.a) || std::holds_alternative<HalfSpace>(pair.b);
}

TEST(GeometryPairs, TheGapIsTheSeparationAlongTheNormalAndNoOtherDirectionHasMore) {
  for_pairs(20, -0.03, 0.3, [](const Pair& pair, Generator& random) {
    const ContactPoint p = pair.nearest();
    ASSERT_TRUE(p.point_a.allFinite() && p.point_b.allFinite() && std::isfinite(p.gap)) << pair.name();
    EXPECT_NEAR(p.normal.norm(), 1, 1e-13);
    EXPECT_LE((p.point_b - p.point_a - p.gap * p.normal).norm(), 1e-11) << pair.name() << ", gap " << p.gap;
    if (unbounded(pair)) return;
    EXPECT_NEAR(separation(pair, p.normal), p.gap, 1e-12) << pair.name();
    for (int i = 0; i < 300; ++i) {
      const double spread = std::pow(10, uniform(random, -6, 0));
      Vector3 n = p.normal + spread * random_vector(random);
      if (pair.dimension == kPlane) n.z() = 0;
      if (p.gap < 0 && spread > 0.1) continue;  // overlapping: the least depth nearby
      n.normalize();
      EXPECT_LE(separation(pair, n), p.gap + 1e-12) << pair.name() << ", gap " << p.gap << ", spread " << spread;
    }
  });
}

TEST(GeometryPairs, NoPlaneProvesMoreThanTheDistanceAndMostOfItIsProven) {
  int apart = 0, proven = 0;
  for_pairs(20, -0.03, 0.5, [&](const Pair& pair, Generator&) {
    if (unbounded(pair)) return;
    const double gap = pair.nearest().gap;
    for (const double enough : {0.0, 0.5 * gap, 2 * gap}) {
      if (enough < 0) continue;
      const double bound = distance_at_least(pair.a, pair.pose_a, pair.b, pair.pose_b, enough);
      EXPECT_TRUE(bound == 0 || bound > enough) << pair.name();
      if (pair.dimension != kSpace) continue;
      EXPECT_LE(bound, std::max(0.0, gap) + 1e-12) << pair.name();
      if (!(gap > 0.05) || enough > gap) continue;
      ++apart;
      proven += bound > enough;
    }
  });
  EXPECT_GE(proven, 0.95 * apart);
}

/// The pair a short time later: both bodies turn about the origins of their frames.
struct Motion {
  Vector3 v_a, w_a, v_b, w_b;
};
Motion random_motion(Generator& random, Dimension dimension) {
  Motion motion{random_vector(random), random_vector(random), random_vector(random), random_vector(random)};
  if (dimension == kPlane) {
    motion.v_a.z() = motion.v_b.z() = 0;
    motion.w_a.head<2>().setZero();
    motion.w_b.head<2>().setZero();
  }
  return motion;
}
double gap_rate(const Pair& pair, const Motion& m, const ContactPoint& p) {
  const Vector3 v_a = m.v_a + m.w_a.cross(p.point_a - pair.pose_a.position);
  const Vector3 v_b = m.v_b + m.w_b.cross(p.point_b - pair.pose_b.position);
  return p.normal.dot(v_b - v_a);
}

TEST(GeometryPairs, EveryGapChangesAtTheRateOfItsPoints) {
  int compared = 0, vanished = 0;
  for_pairs(20, -0.03, 0.1, [&](const Pair& pair, Generator& random) {
    const Motion m = random_motion(random, pair.dimension);
    const double h = 1e-6, margin = 0.3;
    const auto later = [&](double t) {
      return Pair{pair.a, pair.b, moved(pair.pose_a, m.v_a, m.w_a, t), moved(pair.pose_b, m.v_b, m.w_b, t),
                  pair.dimension}
          .points(margin);
    };
    const std::vector<ContactPoint> before = later(-h), after = later(h);
    for (const ContactPoint& p : pair.points(margin)) {
      const auto same = [&](const ContactPoint& q) { return q.feature == p.feature; };
      const auto q = std::find_if(before.begin(), before.end(), same),
                 r = std::find_if(after.begin(), after.end(), same);
      if (q == before.end() || r == after.end()) {
        ++vanished;
        continue;
      }
      ++compared;
      const double shortest = std::max(std::abs(p.gap), 1e-3);  // gaps between corners bend with 1 / gap
      EXPECT_NEAR((r->gap - q->gap) / (2 * h), gap_rate(pair, m, p), 2e-6 + 20 * h * h / (shortest * shortest))
          << pair.name() << ", gap " << p.gap;
    }
  });
  EXPECT_GT(compared, carom::testing::share_of(1000));
  EXPECT_LE(vanished, compared / 200);
}

/// Do two lists hold the same points, whatever their order?
void expect_same(const std::vector<ContactPoint>& points, const std::vector<ContactPoint>& others, double tolerance,
                 const std::string& name) {
  ASSERT_EQ(points.size(), others.size()) << name;
  for (const ContactPoint& p : points) {
    double least = std::numeric_limits<double>::infinity();
    for (const ContactPoint& q : others)
      least =
          std::min(least, (p.point_a - q.point_a).norm() + (p.point_b - q.point_b).norm() + std::abs(p.gap - q.gap));
    EXPECT_LE(least, tolerance) << name << ", gap " << p.gap;
  }
}

constexpr double kMargin = 0.2;

TEST(GeometryPairs, ExchangingTheShapesGivesTheSamePoints) {
  for_pairs(20, -0.03, 0.1, [](const Pair& pair, Generator&) {
    std::vector<ContactPoint> points = Pair{pair.b, pair.a, pair.pose_b, pair.pose_a, pair.dimension}.points(kMargin);
    for (ContactPoint& p : points) {
      std::swap(p.point_a, p.point_b);
      p.normal = -p.normal;
    }
    expect_same(pair.points(kMargin), points, 1e-9, pair.name());
  });
}

TEST(GeometryPairs, MovingBothMovesThePoints) {
  for_pairs(20, -0.03, 0.1, [](const Pair& pair, Generator& random) {
    const Pose move = random_pose(random, pair.dimension, 2);
    const Pair other{pair.a, pair.b, move * pair.pose_a, move * pair.pose_b, pair.dimension};
    std::vector<ContactPoint> points = pair.points(kMargin);
    for (ContactPoint& p : points) {
      p.point_a = move.to_world(p.point_a);
      p.point_b = move.to_world(p.point_b);
    }
    expect_same(points, other.points(kMargin), 1e-9, pair.name());
  });
}

Shape scaled(const Shape& shape, double c) {
  struct Scaled {
    double c;
    Shape operator()(Sphere s) const { return Sphere{c * s.radius}; }
    Shape operator()(Box s) const { return Box{c * s.half}; }
    Shape operator()(Capsule s) const { return Capsule{c * s.radius, c * s.half_length}; }
    Shape operator()(Cylinder s) const { return Cylinder{c * s.radius, c * s.half_length}; }
    Shape operator()(Ellipsoid s) const { return Ellipsoid{c * s.axes}; }
    Shape operator()(Superellipsoid s) const { return Superellipsoid{c * s.axes, s.p, s.q}; }
    Shape operator()(HalfSpace s) const { return s; }
    Shape operator()(Polygon s) const {
      for (auto& corner : s.corners) corner *= c;
      return s;
    }
    Shape operator()(Polytope s) const {
      for (auto& corner : s.corners) corner *= c;
      return s;
    }
  };
  return std::visit(Scaled{c}, shape);
}

TEST(GeometryPairs, UnitsOfLengthDoNotMatter) {
  for (const double c : {1e-6, 1e6})
    for_pairs(10, -0.03, 0.1, [&](const Pair& pair, Generator&) {
      Pair other{scaled(pair.a, c), scaled(pair.b, c), pair.pose_a, pair.pose_b, pair.dimension};
      other.pose_a.position *= c;
      other.pose_b.position *= c;
      std::vector<ContactPoint> points = other.points(c * kMargin);
      for (ContactPoint& p : points) {
        p.point_a /= c;
        p.point_b /= c;
        p.gap /= c;
      }
      expect_same(pair.points(kMargin), points, 1e-9, pair.name());
    });
}

/// The mirror image in x = 0. A shape that is its own image only changes its pose.
Shape mirrored(const Shape& shape) {
  if (const Polygon* polygon = std::get_if<Polygon>(&shape)) {
    std::vector<Eigen::Vector2d> corners = polygon->corners;
    for (auto& corner : corners) corner.x() = -corner.x();
    return convex_polygon(corners);
  }
  if (const Polytope* polytope = std::get_if<Polytope>(&shape)) {
    std::vector<Vector3> corners = polytope->corners;
    for (auto& corner : corners) corner.x() = -corner.x();
    return convex_polytope(corners);
  }
  return shape;
}
Pose mirrored(const Pose& pose) {
  const Quaternion& q = pose.orientation;
  return {{-pose.position.x(), pose.position.y(), pose.position.z()}, Quaternion(q.w(), q.x(), -q.y(), -q.z())};
}

TEST(GeometryPairs, MirrorImagesAgree) {
  for_pairs(20, -0.03, 0.1, [](const Pair& pair, Generator&) {
    const Pair other{mirrored(pair.a), mirrored(pair.b), mirrored(pair.pose_a), mirrored(pair.pose_b), pair.dimension};
    std::vector<ContactPoint> points = other.points(kMargin);
    for (ContactPoint& p : points) {
      p.point_a.x() = -p.point_a.x();
      p.point_b.x() = -p.point_b.x();
    }
    expect_same(pair.points(kMargin), points, 1e-9, pair.name());
  });
}

TEST(GeometryPairs, DeepAndDegeneratePlacesGiveFiniteAnswers) {
  Generator random(5);
  for (const Dimension dimension : {kPlane, kSpace})
    for (const Shape& a : shapes(random, dimension))
      for (const Shape& b : shapes(random, dimension))
        for (const Shape* other : {&a, &b})
          for (const double distance : {0.0, 1e-300, 1e-12, 0.05, 0.2}) {
            if (std::holds_alternative<HalfSpace>(a) && std::holds_alternative<HalfSpace>(*other)) continue;
            const Pair pair{a, *other, {}, {distance * Vector3(0.6, 0.8, 0), Quaternion::Identity()}, dimension};
            for (const ContactPoint& p : pair.points(0.1)) {
              EXPECT_TRUE(std::isfinite(p.gap) && p.point_a.allFinite() && p.point_b.allFinite()) << pair.name();
              EXPECT_NEAR(p.normal.norm(), 1, 1e-12) << pair.name();
            }
            const double gap = pair.nearest().gap;
            EXPECT_LE(gap, 1e-9) << pair.name() << ", distance " << distance;
            if (unbounded(pair)) continue;
            EXPECT_GE(gap, -2 * (reach(a) + reach(*other))) << pair.name();
          }
}

}  // namespace
}  // namespace carom::geometry::testing

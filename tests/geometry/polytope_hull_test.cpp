#include <set>

#include "carom/base/error.h"
#include "geometry_support.h"

namespace carom::geometry::testing {
namespace {

/// Every point is inside every face, faces are flat and turn left, each edge belongs to two faces, V - E + F = 2.
void expect_hull(const Polytope& hull, const std::vector<Vector3>& points, double size) {
  std::set<std::pair<int, int>> edges;
  for (const std::vector<int>& face : hull.faces) {
    ASSERT_GE(face.size(), 3U);
    const Vector3& o = hull.corners[face[0]];
    Vector3 normal = Vector3::Zero();
    for (std::size_t i = 2; i < face.size(); ++i)
      normal += (hull.corners[face[i - 1]] - o).cross(hull.corners[face[i]] - o);
    normal.normalize();
    for (const Vector3& point : points) EXPECT_LE(normal.dot(point - o), 1e-9 * size);
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int from = face[i], to = face[(i + 1) % face.size()], next = face[(i + 2) % face.size()];
      EXPECT_LE(std::abs(normal.dot(hull.corners[from] - o)), 1e-9 * size);
      const Vector3 step = hull.corners[to] - hull.corners[from], turn = hull.corners[next] - hull.corners[to];
      EXPECT_GT(normal.dot(step.cross(turn)), 0);
      EXPECT_TRUE(edges.insert({from, to}).second);
    }
  }
  for (const auto& [from, to] : edges) EXPECT_TRUE(edges.contains({to, from}));
  EXPECT_EQ(hull.corners.size() + hull.faces.size(), edges.size() / 2 + 2);
}

TEST(GeometryHull, RandomPointsInABallOnASphereAndOnAGrid) {
  Generator random(1);
  for (const double size : {1e-6, 1.0, 1e6})
    for (int round = 0; round < 12; ++round) {
      std::vector<Vector3> points;
      const int count = 4 + round * 20;
      for (int i = 0; i < count; ++i) {
        Vector3 point = random_vector(random);
        if (round % 3 == 1) point.normalize();
        if (round % 3 == 2) point = (2 * point).array().round();
        points.emplace_back(size * point);
      }
      expect_hull(convex_polytope(points), points, size);
    }
}

TEST(GeometryHull, AGridOfPointsIsABoxWithSixFaces) {
  std::vector<Vector3> points;
  const Quaternion turn(Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()));
  for (int i = 0; i < 125; ++i) points.emplace_back(turn * Vector3(i % 5, i / 5 % 5, 0.1 * (i / 25)));
  const Polytope box = convex_polytope(points);
  EXPECT_EQ(box.corners.size(), 8U);
  EXPECT_EQ(box.faces.size(), 6U);
  expect_hull(box, points, 4);
}

/// Twenty points at each corner of a box, less or more apart than points are told apart, and balls that are nearly
/// flat.
TEST(GeometryHull, PointsThatNearlyCoincideOrLieInAPlaneMakeASolidOrAreRefused) {
  Generator random(2);
  for (double noise = 1e-15; noise < 1e-5; noise *= 10)
    for (int round = 0; round < 10; ++round) {
      const bool flat = round % 2 == 1;
      std::vector<Vector3> points;
      for (int i = 0; i < 160; ++i) {
        const Vector3 some = random_vector(random), corner(i & 1, i >> 1 & 1, i >> 2 & 1);
        points.push_back(flat ? Vector3(some.x(), some.y(), noise * some.z()) : Vector3(corner + noise * some));
      }
      try {
        const Polytope hull = convex_polytope(points);
        const MassProperties solid = hull.in_space();
        EXPECT_GT(solid.volume, 0);
        if (!flat) {
          EXPECT_NEAR(solid.volume, 1, 20 * noise + 1e-14);
        }
        std::size_t sides = 0;
        for (const std::vector<int>& face : hull.faces) sides += face.size();
        EXPECT_EQ(hull.corners.size() + hull.faces.size(), sides / 2 + 2);
        if (!flat && noise < 1e-11) {
          EXPECT_EQ(hull.faces.size(), 6U);
        }
      } catch (const InputError&) {
        EXPECT_TRUE(flat && noise < 1e-8) << noise;
      }
    }
}

TEST(GeometryHull, PointsWithoutVolumeAreRefused) {
  EXPECT_THROW(convex_polytope({}), InputError);
  EXPECT_THROW(convex_polytope({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.4, 0}}), InputError);
  EXPECT_THROW(convex_polytope(std::vector<Vector3>(10, Vector3::Ones())), InputError);
}

}  // namespace
}  // namespace carom::geometry::testing

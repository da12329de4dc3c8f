// Polytopes against brute force, and the rates of gaps of faces that are nearly parallel.

#include <algorithm>

#include "geometry_support.h"
#include "random_share.h"

namespace carom::geometry::testing {
namespace {

Polytope random_polytope(Generator& random, int points) {
  std::vector<Vector3> corners;
  for (int i = 0; i < points; ++i) corners.push_back(random_vector(random));
  return convex_polytope(corners);
}

struct Placed {
  std::vector<Vector3> corners;
  std::vector<Vector3> normals, edges;
};
Placed placed(const Polytope& shape, const Pose& pose) {
  Placed result;
  for (const Vector3& corner : shape.corners) result.corners.push_back(pose.to_world(corner));
  for (const std::vector<int>& face : shape.faces) {
    const Vector3& o = result.corners[face[0]];
    result.normals.emplace_back((result.corners[face[1]] - o).cross(result.corners[face[2]] - o).normalized());
    for (std::size_t i = 0; i < face.size(); ++i)
      result.edges.emplace_back(result.corners[face[(i + 1) % face.size()]] - result.corners[face[i]]);
  }
  return result;
}

double separation(const Placed& a, const Placed& b, const Vector3& n) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vector3& corner : b.corners) low = std::min(low, n.dot(corner));
  for (const Vector3& corner : a.corners) high = std::max(high, n.dot(corner));
  return low - high;
}

/// The largest separation over every normal and every pair of edges.
double brute_force(const Placed& a, const Placed& b) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Vector3& n : a.normals) most = std::max(most, separation(a, b, n));
  for (const Vector3& n : b.normals) most = std::max(most, separation(a, b, -n));
  for (const Vector3& e : a.edges)
    for (const Vector3& f : b.edges) {
      const Vector3 across = e.cross(f);
      if (across.norm() > 1e-9) most = std::max(most, separation(a, b, across.normalized()));
    }
  return most;
}

TEST(GeometrySolidContacts, TheDepthOfOverlappingPolytopesIsTheLeastOverAllAxes) {
  Generator random(3);
  int overlapping = 0;
  for (int i = 0; i < 300; ++i) {
    const Polytope a = random_polytope(random, 5 + i % 12), b = random_polytope(random, 5 + i % 7);
    const Pose pose_a = random_pose(random, kSpace, 0.5), pose_b = random_pose(random, kSpace, 0.5);
    const double expected = brute_force(placed(a, pose_a), placed(b, pose_b));
    const ContactPoint p = nearest_points(a, pose_a, b, pose_b, kSpace);
    if (expected > 0) {
      EXPECT_GE(p.gap, expected - 1e-12);
      continue;
    }
    ++overlapping;
    EXPECT_NEAR(p.gap, expected, 1e-9);
    EXPECT_LE((p.point_b - p.point_a - p.gap * p.normal).norm(), 1e-9);
  }
  EXPECT_GT(overlapping, 100);
}

/// The nearest of all pairs of corners, edges and faces, by the closest points of triangles' parts.
TEST(GeometrySolidContacts, TheDistanceOfPolytopesIsCertifiedFromBothSides) {
  Generator random(4);
  for (int i = 0; i < carom::testing::share_of(2000); ++i) {
    const Polytope a = random_polytope(random, 5 + i % 12), b = random_polytope(random, 5 + i % 7);
    const Pose pose_a = random_pose(random, kSpace, 1), pose_b = random_pose(random, kSpace, 3);
    const ContactPoint p = nearest_points(a, pose_a, b, pose_b, kSpace);
    if (p.gap <= 0) continue;
    // The plane through the point separates the bodies by the same distance: no pair of points is nearer, and the
    // points belong to the bodies.
    const Placed in_a = placed(a, pose_a), in_b = placed(b, pose_b);
    EXPECT_NEAR(separation(in_a, in_b, p.normal), p.gap, 1e-12);
    EXPECT_NEAR((p.point_b - p.point_a).norm(), p.gap, 1e-12);
    for (const auto& [body, point] : {std::pair(&in_a, p.point_a), std::pair(&in_b, p.point_b)}) {
      for (const Vector3& n : body->normals) {
        double most = -std::numeric_limits<double>::infinity();
        for (const Vector3& corner : body->corners) most = std::max(most, n.dot(corner));
        EXPECT_LE(n.dot(point), most + 1e-12);
      }
    }
  }
}

/// Faces, ends and sides that nearly lie on each other: every contact point moves at the rate of its gap.
void expect_rates(const Shape& a, const Shape& b, const Pose& above, std::size_t fewest) {
  Generator random(9);
  const double h = 1e-6;
  for (const double tilt : {1e-1, 1e-2, 1e-3, 1e-4}) {
    const Vector3 axis = random_vector(random).normalized();
    const Pose pose_b{above.position, Quaternion(Eigen::AngleAxisd(tilt, axis)) * above.orientation};
    const Vector3 v = random_vector(random), w = random_vector(random);
    const auto at = [&](double t) { return contacts(a, {}, b, moved(pose_b, v, w, t), 0.3, kSpace); };
    const std::vector<ContactPoint> now = at(0), before = at(-h), after = at(h);
    EXPECT_GE(now.size(), fewest) << "tilt " << tilt;
    std::size_t compared = 0;
    for (const ContactPoint& p : now) {
      const auto same = [&](const ContactPoint& q) { return q.feature == p.feature; };
      const auto q = std::find_if(before.begin(), before.end(), same),
                 r = std::find_if(after.begin(), after.end(), same);
      if (q == before.end() || r == after.end()) continue;
      ++compared;
      const double rate = p.normal.dot(v + w.cross(p.point_b - pose_b.position));
      EXPECT_NEAR((r->gap - q->gap) / (2 * h), rate, 3e-5) << "tilt " << tilt;
    }
    EXPECT_EQ(compared, now.size()) << "tilt " << tilt;
  }
}

Pose posed(double x, double y, double z, double angle = 0, const Vector3& axis = Vector3::UnitZ()) {
  return {{x, y, z}, Quaternion(Eigen::AngleAxisd(angle, axis))};
}
constexpr double kQuarter = 1.5707963267948966;

TEST(GeometrySolidContacts, GapsOfNearlyParallelFacesChangeAtTheRateOfTheirPoints) {
  const Box floor{{2, 0.5, 2}}, box{{0.5, 0.5, 0.7}};
  expect_rates(floor, box, posed(0.1, 1, 0.2), 4);                       // within the face
  expect_rates(floor, box, posed(1.9, 1, 0.2), 4);                       // over an edge
  expect_rates(box, box, posed(0.1, 1, 0.2, 0.7, Vector3::UnitY()), 6);  // crossed
  expect_rates(floor, Capsule{0.1, 0.6}, posed(0.1, 0.6, 0.2), 2);       // lying
  expect_rates(floor, Capsule{0.1, 0.6}, posed(1.8, 0.6, 0.2), 2);       // over an edge
}

TEST(GeometryCylinderContacts, GapsOfCylindersOnFacesChangeAtTheRateOfTheirPoints) {
  const Box floor{{2, 0.5, 2}};
  const Cylinder can{0.5, 0.6};
  expect_rates(floor, can, posed(0.1, 1.1, 0.2, kQuarter), 4);                  // standing
  expect_rates(floor, can, posed(1.8, 1.1, 0.2, kQuarter), 4);                  // over an edge
  expect_rates(floor, can, posed(0.1, 1, 0.2), 2);                              // lying
  expect_rates(floor, can, posed(1.8, 1, 0.2), 2);                              // lying over an edge
  expect_rates(Box{{0.2, 0.5, 0.2}}, can, posed(0.05, 1.1, 0.1, kQuarter), 4);  // on a post
  expect_rates(can, Box{{0.5, 0.3, 0.5}}, posed(0.1, 0.8, 0.2), 1);             // a box on its side
}

TEST(GeometryCylinderContacts, StackedCylindersTouchWhereTheirRimsCrossToo) {
  const Cylinder can{0.5, 1};
  const auto points = contacts(can, posed(0, 0, 0, kQuarter), can, posed(0.2, 2, 0, kQuarter), 0.01, kSpace);
  ASSERT_EQ(points.size(), 4U);
  double widest = 0;
  for (const ContactPoint& p : points) {
    EXPECT_NEAR(p.gap, 0, 1e-14);
    EXPECT_POINT_NEAR(p.normal, Vector3::UnitY(), 1e-12);
    widest = std::max(widest, std::abs(p.point_a.z()));
  }
  EXPECT_NEAR(widest, std::sqrt(0.25 - 0.01), 1e-12);
}

TEST(GeometryCylinderContacts, LyingCylindersTouchAlongALine) {
  const Cylinder can{0.5, 1};
  const auto points = contacts(can, {}, can, posed(0.5, 1, 0), 0.01, kSpace);
  ASSERT_EQ(points.size(), 2U);
  for (const ContactPoint& p : points) EXPECT_NEAR(std::abs(p.point_a.x() - 0.25), 0.75, 1e-14);
  EXPECT_EQ(contacts(can, {}, can, posed(0, 1, 0, kQuarter, Vector3::UnitY()), 0.01, kSpace).size(), 1U);
  EXPECT_EQ(contacts(Box{{0.3, 0.5, 2}}, {}, can, posed(0, 1, 0), 0.01, kSpace).size(), 2U);
}

/// An edge of a box down, along the axis of a cylinder: two points, however small the angle between them.
TEST(GeometryCylinderContacts, AnEdgeAlongACylinderTouchesItAtBothEnds) {
  const Cylinder can{0.5, 1};
  const Quaternion on_edge(Eigen::AngleAxisd(kQuarter / 2, Vector3::UnitX()));
  for (const double half : {0.7, 1.3})  // shorter and longer than the cylinder
    for (const double angle : {0.0, 1e-9, 1e-6, 5e-5}) {
      const Pose above{{0.1, 0.5 + 0.3 * std::sqrt(2), 0},
                       Quaternion(Eigen::AngleAxisd(angle, Vector3(0, 1, 1).normalized())) * on_edge};
      const auto points = contacts(can, {}, Box{{half, 0.3, 0.3}}, above, 0.01, kSpace);
      ASSERT_GE(points.size(), 2U) << angle;
      double left = 1, right = -1;
      for (const ContactPoint& p : points) {
        EXPECT_NEAR(p.gap, 0, 2 * half * angle + 1e-9);
        left = std::min(left, p.point_a.x());
        right = std::max(right, p.point_a.x());
      }
      EXPECT_NEAR(left, std::max(-1.0, 0.1 - half), 1e-4);
      EXPECT_NEAR(right, std::min(1.0, 0.1 + half), 1e-4);
    }
}

}  // namespace
}  // namespace carom::geometry::testing

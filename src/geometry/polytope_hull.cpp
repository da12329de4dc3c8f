// The convex hull of points in space: quickhull [Barber, Dobkin, Huhdanpaa 1996], then flat neighbours merged to faces.

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "base/error.h"
#include "geometry/shape.h"

namespace carom::geometry {
namespace {

constexpr double kFlat = 1e-11;  // points that stand out less than this part of the extent lie in a face

struct Triangle {
  std::array<int, 3> corners{};
  Vector3 normal;
  std::vector<int> outside;  // points above this triangle, not yet in the hull
  bool alive = true;
};

class Hull {
 public:
  explicit Hull(const std::vector<Vector3>& points) : points_(points) {
    for (const Vector3& point : points) {
      if (!point.allFinite()) throw InputError("points", "a coordinate is not finite");
      extent_ = std::max(extent_, (point - points[0]).cwiseAbs().maxCoeff());
    }
    start();
    for (std::size_t i = 0; i < triangles_.size(); ++i)
      while (triangles_[i].alive && !triangles_[i].outside.empty()) grow(static_cast<int>(i));
  }

  Polytope polytope() const;

 private:
  double height(const Triangle& t, int point) const { return t.normal.dot(points_[point] - points_[t.corners[0]]); }
  int neighbour(const Triangle& t, int side) const { return owner_.at({t.corners[(side + 1) % 3], t.corners[side]}); }

  int add(int a, int b, int c) {
    const Vector3 normal = (points_[b] - points_[a]).cross(points_[c] - points_[a]).stableNormalized();
    triangles_.push_back({{a, b, c}, normal, {}, true});
    const int self = static_cast<int>(triangles_.size()) - 1;
    owner_[{a, b}] = owner_[{b, c}] = owner_[{c, a}] = self;
    return self;
  }

  void hand_out(const std::vector<int>& points, const std::vector<int>& to) {
    for (const int point : points)
      for (const int t : to)
        if (height(triangles_[t], point) > kFlat * extent_) {
          triangles_[t].outside.push_back(point);
          break;
        }
  }

  template <class Measure>
  int farthest(Measure measure) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i)
      if (measure(points_[i]) > measure(points_[best])) best = i;
    return best;
  }

  /// A tetrahedron of points far apart.
  void start() {
    if (points_.size() < 4) flat();
    const int a = farthest([](const Vector3& p) { return -p.x(); });
    const int b = farthest([&](const Vector3& p) { return (p - points_[a]).squaredNorm(); });
    const Vector3 along = (points_[b] - points_[a]).stableNormalized();
    const int c = farthest([&](const Vector3& p) { return (p - points_[a]).cross(along).squaredNorm(); });
    const Vector3 normal = along.cross(points_[c] - points_[a]);
    if (!(normal.norm() > kFlat * extent_)) flat();
    const Vector3 unit = normal.normalized();
    const int d = farthest([&](const Vector3& p) { return std::abs(unit.dot(p - points_[a])); });
    const double side = unit.dot(points_[d] - points_[a]);
    if (!(std::abs(side) > kFlat * extent_)) flat();
    const auto [p, q, r] = side < 0 ? std::array{a, b, c} : std::array{a, c, b};
    const std::vector<int> first = {add(p, q, r), add(p, d, q), add(q, d, r), add(r, d, p)};
    std::vector<int> all(points_.size());
    std::iota(all.begin(), all.end(), 0);
    hand_out(all, first);
  }
  [[noreturn]] void flat() const {
    throw InputError("points", std::to_string(points_.size()) + " points without volume have no convex polytope");
  }

  /// Takes in the point farthest above a triangle: what it sees is replaced by a cone.
  void grow(int seed) {
    const std::vector<int>& above = triangles_[seed].outside;
    const int apex = *std::max_element(above.begin(), above.end(), [&](int i, int j) {
      return height(triangles_[seed], i) < height(triangles_[seed], j);
    });
    std::vector<int> visible{seed}, orphans;
    triangles_[seed].alive = false;
    std::vector<std::pair<int, int>> horizon;
    for (std::size_t i = 0; i < visible.size(); ++i) {
      const Triangle t = triangles_[visible[i]];
      orphans.insert(orphans.end(), t.outside.begin(), t.outside.end());
      for (int side = 0; side < 3; ++side) {
        const int next = neighbour(t, side);
        if (!triangles_[next].alive) continue;
        if (height(triangles_[next], apex) > kFlat * extent_) {
          triangles_[next].alive = false;
          visible.push_back(next);
        }
      }
    }
    for (const int v : visible)
      for (int side = 0; side < 3; ++side)
        if (triangles_[neighbour(triangles_[v], side)].alive)
          horizon.emplace_back(triangles_[v].corners[side], triangles_[v].corners[(side + 1) % 3]);
    std::vector<int> cone;
    cone.reserve(horizon.size());
    for (const auto& [from, to] : horizon) cone.push_back(add(from, to, apex));
    hand_out(orphans, cone);
  }

  std::vector<int> faces() const;

  const std::vector<Vector3>& points_;
  double extent_ = 0;
  std::vector<Triangle> triangles_;
  std::map<std::pair<int, int>, int> owner_;  // of each directed side
};

/// The number of the face each triangle belongs to: neighbours are one face if both lie in the larger one's plane.
std::vector<int> Hull::faces() const {
  std::vector<int> face(triangles_.size(), -1), order;
  std::vector<double> area(triangles_.size(), 0);
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    const Triangle& t = triangles_[i];
    if (!t.alive) continue;
    order.push_back(static_cast<int>(i));
    area[i] =
        (points_[t.corners[1]] - points_[t.corners[0]]).cross(points_[t.corners[2]] - points_[t.corners[0]]).norm();
  }
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return area[i] > area[j]; });
  for (const int seed : order) {
    if (face[seed] >= 0) continue;
    std::vector<int> members{seed};
    face[seed] = seed;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (int side = 0; side < 3; ++side) {
        const int next = neighbour(triangles_[members[i]], side);
        const auto in_plane = [&](int corner) {
          return std::abs(height(triangles_[seed], corner)) <= 10 * kFlat * extent_;
        };
        const std::array<int, 3>& c = triangles_[next].corners;
        if (face[next] >= 0 || !std::all_of(c.begin(), c.end(), in_plane)) continue;
        face[next] = seed;
        members.push_back(next);
      }
  }
  return face;
}

Polytope Hull::polytope() const {
  const std::vector<int> face = faces();
  std::map<int, std::map<int, int>> boundary;  // of each face, from corner to corner
  std::map<int, int> uses;                     // in how many faces a corner is
  for (std::size_t i = 0; i < triangles_.size(); ++i)
    for (int side = 0; side < 3 && triangles_[i].alive; ++side)
      if (face[neighbour(triangles_[i], side)] != face[i]) {
        boundary[face[i]][triangles_[i].corners[side]] = triangles_[i].corners[(side + 1) % 3];
        ++uses[triangles_[i].corners[side]];
      }
  Polytope result;
  std::map<int, int> number;
  for (const auto& [name, next] : boundary) {
    std::vector<int> loop;
    int corner = next.begin()->first;
    for (std::size_t i = 0; i < next.size(); ++i, corner = next.at(corner)) {
      if (uses.at(corner) < 3) continue;  // on a straight edge
      const auto [place, fresh] = number.emplace(corner, static_cast<int>(result.corners.size()));
      if (fresh) result.corners.push_back(points_[corner]);
      loop.push_back(place->second);
    }
    if (loop.size() >= 3) result.faces.push_back(loop);
  }
  return result;
}

}  // namespace

Polytope convex_polytope(const std::vector<Vector3>& points) {
  return Hull(points).polytope();
}

}  // namespace carom::geometry

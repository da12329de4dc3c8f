// The convex hull of points in space: quickhull [Barber, Dobkin, Huhdanpaa 1996], then flat neighbours merged to faces.

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "carom/base/error.h"
#include "carom/geometry/shapes/polytope.h"

namespace carom::geometry {
namespace {

constexpr double kFlat = 1e-11;     // points that stand out less than this part of the extent lie in a face
constexpr double kFlattest = 1e-7;  // where rounding spoils the hull, a coarser one is tried up to this

struct Triangle {
  std::array<int, 3> corners{};
  Vector3 normal;
  std::vector<int> outside;  // points above this triangle, not yet in the hull
  bool alive = true;
};

class Hull {
 public:
  /// Points that stand out less than `flat` [m] lie in a face.
  Hull(const std::vector<Vector3>& points, double flat) : points_(points), flat_(flat) {
    start();
    for (std::size_t i = 0; i < triangles_.size() && closed_; ++i)
      while (closed_ && triangles_[i].alive && !triangles_[i].outside.empty()) grow(static_cast<int>(i));
  }

  bool closed() const { return closed_; }  // false: the surface is torn, its triangles were too thin for the arithmetic
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
        if (height(triangles_[t], point) > flat_) {
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
    if (points_.size() < 4) refuse();
    const int a = farthest([](const Vector3& p) { return -p.x(); });
    const int b = farthest([&](const Vector3& p) { return (p - points_[a]).squaredNorm(); });
    const Vector3 along = (points_[b] - points_[a]).stableNormalized();
    const int c = farthest([&](const Vector3& p) { return (p - points_[a]).cross(along).squaredNorm(); });
    const Vector3 normal = along.cross(points_[c] - points_[a]);
    if (!(normal.norm() > flat_)) refuse();
    const Vector3 unit = normal.normalized();
    const int d = farthest([&](const Vector3& p) { return std::abs(unit.dot(p - points_[a])); });
    const double side = unit.dot(points_[d] - points_[a]);
    if (!(std::abs(side) > flat_)) refuse();
    const auto [p, q, r] = side < 0 ? std::array{a, b, c} : std::array{a, c, b};
    const std::vector<int> first = {add(p, q, r), add(p, d, q), add(q, d, r), add(r, d, p)};
    std::vector<int> all(points_.size());
    std::iota(all.begin(), all.end(), 0);
    hand_out(all, first);
  }
  [[noreturn]] void refuse() const {
    throw InputError("points", std::to_string(points_.size()) + " points without volume have no convex polytope");
  }

  /// From corner to corner, all sides once.
  static bool is_one_loop(const std::map<int, int>& next, std::size_t sides) {
    std::size_t count = 0;
    int corner = next.begin()->first;
    do {
      const auto step = next.find(corner);
      if (step == next.end()) return false;
      corner = step->second;
    } while (++count < sides && corner != next.begin()->first);
    return count == sides && corner == next.begin()->first;
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
        if (height(triangles_[next], apex) > flat_) {
          triangles_[next].alive = false;
          visible.push_back(next);
        }
      }
    }
    for (const int v : visible)
      for (int side = 0; side < 3; ++side)
        if (triangles_[neighbour(triangles_[v], side)].alive)
          horizon.emplace_back(triangles_[v].corners[side], triangles_[v].corners[(side + 1) % 3]);
    std::map<int, int> next(horizon.begin(), horizon.end());
    closed_ = closed_ && is_one_loop(next, horizon.size());
    if (!closed_) return;
    std::vector<int> cone;
    cone.reserve(horizon.size());
    for (const auto& [from, to] : horizon) cone.push_back(add(from, to, apex));
    std::erase(orphans, apex);
    hand_out(orphans, cone);
  }

  std::vector<int> faces() const;

  const std::vector<Vector3>& points_;
  double flat_ = 0;
  bool closed_ = true;
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
        const auto in_plane = [&](int corner) { return std::abs(height(triangles_[seed], corner)) <= 10 * flat_; };
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
    if (!is_one_loop(next, next.size())) return {};
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

/// Faces that bound one solid, with no point far outside.
bool is_hull(const Polytope& hull, const std::vector<Vector3>& points, double slack) {
  std::set<std::pair<int, int>> sides;
  for (const std::vector<int>& face : hull.faces) {
    Vector3 normal = Vector3::Zero();
    const Vector3& origin = hull.corners[face[0]];
    for (std::size_t i = 2; i < face.size(); ++i)
      normal += (hull.corners[face[i - 1]] - origin).cross(hull.corners[face[i]] - origin);
    normal.stableNormalize();
    for (std::size_t i = 0; i < face.size(); ++i)
      if (!sides.emplace(face[i], face[(i + 1) % face.size()]).second) return false;
    if (std::any_of(points.begin(), points.end(), [&](const Vector3& p) { return normal.dot(p - origin) > slack; }))
      return false;
  }
  const auto has_other_half = [&](const std::pair<int, int>& side) {
    return sides.contains({side.second, side.first});
  };
  return hull.faces.size() >= 4 && std::all_of(sides.begin(), sides.end(), has_other_half) &&
         hull.corners.size() + hull.faces.size() == sides.size() / 2 + 2;
}

}  // namespace

Polytope convex_polytope(const std::vector<Vector3>& points) {
  double extent = 0;
  for (const Vector3& point : points) {
    if (!point.allFinite()) throw InputError("points", "a coordinate is not finite");
    extent = std::max(extent, (point - points[0]).cwiseAbs().maxCoeff());
  }
  for (double flat = kFlat * extent; flat <= 1.1 * kFlattest * extent; flat *= 10) {
    const Hull hull(points, flat);
    if (!hull.closed()) continue;
    if (Polytope polytope = hull.polytope(); is_hull(polytope, points, 100 * flat)) return polytope;
  }
  throw InputError("points", std::to_string(points.size()) + " points are too nearly degenerate for a convex polytope");
}

}  // namespace carom::geometry

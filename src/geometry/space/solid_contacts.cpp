// Contact points of balls, capsules, boxes and polytopes. A contact is a corner on a face, with the face's normal; two
// crossing edges, with the normal across both; or, apart, a corner and an edge or a corner, with the normal that joins
// them. Each is exact by itself, also when faces are not quite parallel.

#include "carom/geometry/space/solid_contacts.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "carom/base/error.h"
#include "carom/geometry/space/gjk.h"
#include "carom/geometry/space/separating_axis.h"

namespace carom::geometry::space {
namespace {

constexpr double kSame = 1e-9;          // gaps that differ by less than this part of the solids' size are equal
constexpr double kFacing = 0.9;         // parts take part if their normal is that close to the contact's (cosine)
constexpr double kTouching = 1e-10;     // below this part of the size a distance has no direction
constexpr double kOverhang = 1e-8;      // part of the smaller size: points closer than this are one, and lie on a face
constexpr double kBeyond = 0.02;        // sine to which the normal of nearly parallel edges may lean over a face
constexpr double kBeyondCrossed = 0.3;  // the same for edges at right angles
constexpr double kAccuracy = 1e-15;

/// A contact of the corners' hulls, radii not yet taken off; normal from a to b.
using Meet = ContactPoint;

Meet mirrored(const Meet& meet) {
  return {meet.gap, meet.point_b, meet.point_a, -meet.normal, meet.feature.exchanged()};
}

Element corner_of(const Solid& solid, int corner) {
  return {solid.radius > 0 ? Element::Kind::ball : Element::Kind::corner, corner};
}
Element edge_of(const Solid& solid, int from, int to) {
  return solid.radius > 0 ? Element{Element::Kind::tube} : edge_between(from, to);
}

Meet on_face(const Solid& a, int face, const Solid& b, int corner) {
  const Vector3& n = a.normals[face];
  const double gap = n.dot(b.corners[corner] - a.corners[a.face(face)[0]]);
  return {gap, b.corners[corner] - gap * n, b.corners[corner], n, {{Element::Kind::face, face}, corner_of(b, corner)}};
}

/// Does the normal of two crossing edges lean over the face that the edge bounds, instead of away from it? Edges of
/// faces on each other do so where these are tilted, the more the less they cross: then it is no normal of the contact.
bool leans_over_face(const Solid& a, const Solid::Edge& e, const Vector3& normal, double allowed) {
  return e.left >= 0 && a.along(e).cross(a.normals[e.left]).stableNormalized().dot(normal) < -allowed;
}

/// Two edges that cross as seen along n.
void add_crossing(const Solid& a, const Solid::Edge& e, const Solid& b, const Solid::Edge& f, const Vector3& n,
                  std::vector<Meet>& found) {
  const Vector3 u = a.along(e), v = b.along(f), between = b.corners[f.from] - a.corners[e.from];
  Vector3 across = u.cross(v);
  const double square = across.squaredNorm();
  if (!(square > kParallel * kParallel * u.squaredNorm() * v.squaredNorm())) return;
  const double s = between.cross(v).dot(across) / square, t = between.cross(u).dot(across) / square;
  if (s < 0 || s > 1 || t < 0 || t > 1) return;
  across /= std::sqrt(square);
  if (across.dot(n) < 0) across = -across;
  if (across.dot(n) < kFacing) return;
  const Vector3 point_a = a.corners[e.from] + s * u, point_b = b.corners[f.from] + t * v;
  found.push_back(
      {across.dot(point_b - point_a), point_a, point_b, across, {edge_of(a, e.from, e.to), edge_of(b, f.from, f.to)}});
}

/// A corner of b beside an edge of a, apart.
void add_beside(const Solid& a, const Solid::Edge& e, const Solid& b, int corner, const Vector3& n, double size,
                std::vector<Meet>& found) {
  const Vector3 u = a.along(e);
  const double s = u.dot(b.corners[corner] - a.corners[e.from]) / u.squaredNorm();
  if (s < -kSame || s > 1 + kSame) return;
  const Vector3 foot = a.corners[e.from] + s * u, between = b.corners[corner] - foot;
  const double gap = between.norm();
  if (gap <= kTouching * size || between.dot(n) < kFacing * gap) return;
  found.push_back({gap, foot, b.corners[corner], between / gap, {edge_of(a, e.from, e.to), corner_of(b, corner)}});
}

/// The nearest points of hulls that are apart, from the last simplex of the distance.
Meet nearest_apart(const Solid& a, const Solid& b, const Simplex& simplex) {
  std::set<int> of_a, of_b;
  for (int i = 0; i < simplex.size; ++i) {
    of_a.insert(simplex.points[i].corner_a);
    of_b.insert(simplex.points[i].corner_b);
  }
  const Vector3 v = simplex.nearest();
  Vector3 n = v.stableNormalized();
  if (simplex.size == 3) {  // the normal of the face, exact also where v is short
    const Vector3 w = simplex.points[0].value();
    const Vector3 across = (simplex.points[1].value() - w).cross(simplex.points[2].value() - w).stableNormalized();
    if (std::abs(across.dot(n)) > kFacing) n = across.dot(n) > 0 ? across : Vector3(-across);
  }
  const auto element = [](const Solid& solid, const std::set<int>& corners, const Vector3& outward) -> Element {
    if (corners.size() == 1) return corner_of(solid, *corners.begin());
    if (corners.size() == 2) return edge_of(solid, *corners.begin(), *corners.rbegin());
    return {Element::Kind::face, solid.facing(outward)};
  };
  return {n.dot(v), simplex.point_a(), simplex.point_b(), n, {element(a, of_a, n), element(b, of_b, -n)}};
}

/// Corners of b's facing face, or of a capsule, on a's facing face.
template <class Add>
void for_corners_over_face(const Solid& a, const Solid& b, const Vector3& n, double slack, Add add) {
  const int face = a.facing(n), other = b.facing(-n);
  if (face < 0 || a.normals[face].dot(n) < kFacing) return;
  const auto try_corner = [&](int corner) {
    if (a.over(face, b.corners[corner], slack)) add(face, corner);
  };
  if (other >= 0) {
    for (const int corner : b.face(other)) try_corner(corner);
  } else {
    for (std::size_t corner = 0; corner < b.corners.size(); ++corner) try_corner(static_cast<int>(corner));
  }
}

/// Edges of facing faces that cross. Those of a capsule have no faces.
void add_crossings(const Solid& a, const Solid& b, const Vector3& n, std::vector<Meet>& found) {
  const std::vector<Solid::Edge> edges_a = a.facing_edges(n), edges_b = b.facing_edges(-n);
  for (const Solid::Edge& e : edges_a)
    for (const Solid::Edge& f : edges_b) {
      std::vector<Meet> crossing;
      add_crossing(a, e, b, f, n, crossing);
      if (crossing.empty()) continue;
      const Vector3 u = a.along(e), v = b.along(f), normal = crossing.front().normal;
      const double allowed = kBeyond + kBeyondCrossed * u.cross(v).norm() / (u.norm() * v.norm());
      if (leans_over_face(a, e, normal, allowed) || leans_over_face(b, f, -normal, allowed)) continue;
      found.push_back(crossing.front());
    }
}

bool same_place(const Meet& p, const Meet& q, double slack) {
  return (p.point_a - q.point_a).norm() <= slack && (p.point_b - q.point_b).norm() <= slack;
}

void add_new(const std::vector<Meet>& more, double slack, std::vector<Meet>& found) {
  for (const Meet& meet : more)
    if (std::none_of(found.begin(), found.end(), [&](const Meet& m) { return same_place(m, meet, slack); }))
      found.push_back(meet);
}

/// All contacts of the facing parts. Corners over each other lie on both faces; the face of a comes first, so that the
/// contact keeps its feature whatever rounding does to the gaps.
std::vector<Meet> candidates(const Solid& a, const Solid& b, const Vector3& n, double slack) {
  std::vector<Meet> all, found;
  for_corners_over_face(a, b, n, slack, [&](int face, int corner) { all.push_back(on_face(a, face, b, corner)); });
  for_corners_over_face(b, a, -n, slack,
                        [&](int face, int corner) { all.push_back(mirrored(on_face(b, face, a, corner))); });
  add_crossings(a, b, n, all);
  add_new(all, slack, found);
  return found;
}

/// Ends of nearly parallel edges: of two capsules, or of a capsule along an edge.
void add_parallel(const Solid& a, const Solid& b, const Simplex& simplex, const Vector3& n, double size,
                  std::vector<Meet>& found) {
  const auto edge = [&](const Solid& s, auto corner) -> std::optional<Solid::Edge> {
    if (s.edges.size() == 1) return s.edges.front();
    for (int i = 1; i < simplex.size; ++i)
      if (corner(simplex.points[i]) != corner(simplex.points[0]))
        return Solid::Edge{corner(simplex.points[0]), corner(simplex.points[i]), -1, -1};
    return {};
  };
  const auto e = edge(a, [](const Difference& d) { return d.corner_a; });
  const auto f = edge(b, [](const Difference& d) { return d.corner_b; });
  if (!e || !f || simplex.size == 3) return;
  for (const int corner : {f->from, f->to}) add_beside(a, *e, b, corner, n, size, found);
  std::vector<Meet> other;
  for (const int corner : {e->from, e->to}) add_beside(b, *f, a, corner, -n, size, other);
  for (const Meet& meet : other) found.push_back(mirrored(meet));
}

/// The nearest first, the others as far as the margin allows, none twice; radii taken off.
void append(const Solid& a, const Solid& b, const std::vector<Meet>& found, double margin, double slack,
            std::vector<ContactPoint>& points) {
  const std::size_t first = points.size();
  const double radii = a.radius + b.radius;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Meet& meet = found[i];
    const bool known = std::any_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const Meet& m) { return same_place(m, meet, slack); });
    if (points.size() > first && (known || meet.gap - radii > margin)) continue;
    points.push_back({meet.gap - radii, meet.point_a + a.radius * meet.normal, meet.point_b - b.radius * meet.normal,
                      meet.normal, meet.feature});
  }
}

/// Brings the least gap of a normal close to n to the front.
void put_least_first(std::vector<Meet>& found, const Vector3& n, double cosine) {
  auto best = found.end();
  for (auto meet = found.begin(); meet != found.end(); ++meet)
    if (meet->normal.dot(n) >= cosine && (best == found.end() || meet->gap < best->gap)) best = meet;
  if (best != found.end()) std::iter_swap(found.begin(), best);
}

/// What meets along the axis of least overlap: its two edges, or the farthest corners, halfway.
Meet along_axis(const Solid& a, const Solid& b, const SeparatingAxis& axis) {
  const Vector3& n = axis.normal;
  if (axis.edge_a >= 0) {
    std::vector<Meet> crossing;
    add_crossing(a, a.edges[axis.edge_a], b, b.edges[axis.edge_b], n, crossing);
    if (!crossing.empty()) return crossing.front();
  }
  const int i = a.farthest(n), j = b.farthest(-n);
  const Vector3 middle = (a.corners[i] + b.corners[j]) / 2, half = axis.separation / 2 * n;
  return {axis.separation, middle - half, middle + half, n, {{Element::Kind::inside, i}, {Element::Kind::inside, j}}};
}

}  // namespace

std::optional<Solid> solid(const Shape& shape, const Pose& pose) {
  return std::visit(
      [&]<class S>(const S& one) -> std::optional<Solid> {
        if constexpr (HullInSpace<S>) return one.solid(pose);
        if constexpr (!is_in_space<S>)
          throw InputError("shape", "a polygon lives in the plane; in space a polytope has corners and faces");
        return {};
      },
      shape);
}

void solid_contacts(const Solid& a, const Solid& b, double margin, std::vector<ContactPoint>& points) {
  const double size = std::max(a.extent(), b.extent()), slack = kOverhang * std::min(a.extent(), b.extent());
  const auto support = [&](const Vector3& d) {
    const int i = a.farthest(-d), j = b.farthest(d);
    return Difference{a.corners[i], b.corners[j], i, j};
  };
  const Simplex simplex = gjk(support, a.corners[0] - b.corners[0], kAccuracy);
  const bool apart = simplex.size < 4 && simplex.nearest().norm() > kTouching * size;
  if (apart) {
    const Meet nearest = nearest_apart(a, b, simplex);
    std::vector<Meet> found = candidates(a, b, nearest.normal, slack), beside;
    add_parallel(a, b, simplex, nearest.normal, size, beside);
    add_new(beside, slack, found);  // a face's normal is better than one from a short distance
    put_least_first(found, nearest.normal, -1);
    if (found.empty() || found.front().gap > nearest.gap + kSame * size) found.insert(found.begin(), nearest);
    return append(a, b, found, margin, slack, points);
  }
  const SeparatingAxis axis = separating_axis(a, b);
  std::vector<Meet> found = candidates(a, b, axis.normal, slack);
  put_least_first(found, axis.normal, 1 - kSame);
  if (found.empty() || std::abs(found.front().gap - axis.separation) > kSame * size)
    found.insert(found.begin(), along_axis(a, b, axis));
  append(a, b, found, margin, slack, points);
}

}  // namespace carom::geometry::space

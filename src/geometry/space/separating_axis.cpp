#include "carom/geometry/space/separating_axis.h"

#include <algorithm>
#include <cmath>

namespace carom::geometry::space {
namespace {

constexpr double kPreferFaces = 1e-10;  // part of the size by which edges must be better

double separation(const Solid& a, const Solid& b, const Vector3& n) {
  return n.dot(b.corners[b.farthest(-n)] - a.corners[a.farthest(n)]);
}

/// a's faces against b; sign = -1 where the two are exchanged.
void try_faces(const Solid& a, const Solid& b, double sign, SeparatingAxis& best) {
  for (const Vector3& normal : a.normals) {
    const double gap = separation(a, b, normal);
    if (gap > best.separation) best = {gap, sign * normal, -1, -1};
  }
}

/// Do the arcs of the edges' normals, e of a and f of b mirrored, cross on the sphere? Then their cross product is a
/// face of the difference of the solids. Edges without faces have a whole circle of normals.
bool arcs_cross(const Solid& a, const Solid::Edge& e, const Vector3& along_e, const Solid& b, const Solid::Edge& f,
                const Vector3& along_f) {
  if (e.left < 0 || e.right < 0 || f.left < 0 || f.right < 0) return true;
  const double cba = a.normals[e.left].dot(along_f), dba = a.normals[e.right].dot(along_f);
  const double adc = -b.normals[f.left].dot(along_e), bdc = -b.normals[f.right].dot(along_e);
  return cba * dba < 0 && adc * bdc < 0;
}

/// The axis across two edges, turned to where it separates more.
void try_edges(const Solid& a, const Solid& b, double prefer, SeparatingAxis& best) {
  SeparatingAxis edges = {best.separation + prefer, best.normal, -1, -1};
  for (std::size_t i = 0; i < a.edges.size(); ++i) {
    const Solid::Edge& e = a.edges[i];
    const Vector3 along_e = a.along(e);
    for (std::size_t j = 0; j < b.edges.size(); ++j) {
      const Solid::Edge& f = b.edges[j];
      const Vector3 along_f = b.along(f);
      if (!arcs_cross(a, e, along_e, b, f, along_f)) continue;
      const Vector3 across = along_e.cross(along_f);
      const double length = across.norm();
      if (!(length > kParallel * along_e.norm() * along_f.norm())) continue;
      for (const double sign : {1.0, -1.0}) {
        const Vector3 n = sign / length * across;
        if (n.dot(b.corners[f.from] - a.corners[e.from]) <= edges.separation) continue;
        if (const double gap = separation(a, b, n); gap > edges.separation)
          edges = {gap, n, static_cast<int>(i), static_cast<int>(j)};
      }
    }
  }
  if (edges.separation > best.separation + prefer) best = edges;
}

}  // namespace

SeparatingAxis separating_axis(const Solid& a, const Solid& b) {
  SeparatingAxis best{-std::numeric_limits<double>::infinity(), Vector3::Zero(), -1, -1};
  try_faces(a, b, 1, best);
  try_faces(b, a, -1, best);
  const double size = std::max(a.extent(), b.extent());
  try_edges(a, b, std::isfinite(best.separation) ? kPreferFaces * size : 0, best);
  if (std::isfinite(best.separation)) return best;
  // Points and segments that touch: any direction across them.
  Vector3 n = Vector3::UnitX();
  if (!a.edges.empty()) n = a.along(a.edges.front()).unitOrthogonal();
  if (a.edges.empty() && !b.edges.empty()) n = b.along(b.edges.front()).unitOrthogonal();
  return {separation(a, b, n), n, -1, -1};
}

}  // namespace carom::geometry::space

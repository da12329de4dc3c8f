#include "carom/geometry/space/solid.h"

#include <algorithm>
#include <array>

#include "carom/base/error.h"
namespace carom::geometry::space {

std::vector<Solid::Edge> edges_of(const std::vector<std::vector<int>>& faces) {
  std::vector<Solid::Edge> halves;
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (std::size_t i = 0; i < faces[f].size(); ++i) {
      const int from = faces[f][i], to = faces[f][(i + 1) % faces[f].size()], face = static_cast<int>(f);
      halves.push_back(from < to ? Solid::Edge{from, to, face, -1} : Solid::Edge{to, from, -1, face});
    }
  std::sort(halves.begin(), halves.end(), [](const Solid::Edge& e, const Solid::Edge& f) {
    return std::array{e.from, e.to, e.left} > std::array{f.from, f.to, f.left};  // the half with a left face first
  });
  std::vector<Solid::Edge> edges;
  for (const Solid::Edge& half : halves) {
    if (!edges.empty() && edges.back().from == half.from && edges.back().to == half.to)
      edges.back().right = half.right;
    else
      edges.push_back(half);
  }
  return edges;
}

/// Newell's normal, exact to rounding also for faces of many corners.
Vector3 normal_of(const std::vector<Vector3>& corners, const std::vector<int>& face) {
  Vector3 normal = Vector3::Zero();
  const Vector3& origin = corners[face[0]];
  for (std::size_t i = 2; i < face.size(); ++i)
    normal += (corners[face[i - 1]] - origin).cross(corners[face[i]] - origin);
  return normal.stableNormalized();
}

Solid::Solid(const std::vector<Vector3>& local, double radius_, const Pose& pose) : radius(radius_) {
  for (const Vector3& corner : local) corners.push_back(pose.to_world(corner));
  if (local.size() == 2) edges.push_back({0, 1, -1, -1});
}

int Solid::farthest(const Vector3& direction) const {
  std::size_t best = 0;
  double most = direction.dot(corners[0]);
  for (std::size_t i = 1; i < corners.size(); ++i)
    if (const double reached = direction.dot(corners[i]); reached > most) {
      most = reached;
      best = i;
    }
  return static_cast<int>(best);
}

int Solid::facing(const Vector3& n) const {
  int best = -1;
  for (std::size_t i = 0; i < normals.size(); ++i)
    if (best < 0 || normals[i].dot(n) > normals[best].dot(n)) best = static_cast<int>(i);
  return best;
}

bool Solid::over(int number, const Vector3& point, double slack) const {
  const std::vector<int>& loop = face(number);
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vector3 &from = corners[loop[i]], &to = corners[loop[(i + 1) % loop.size()]];
    const Vector3 out = (to - from).cross(normals[number]);
    if (out.dot(point - from) > slack * out.norm()) return false;
  }
  return true;
}

std::vector<Solid::Edge> Solid::facing_edges(const Vector3& n) const {
  const int best = facing(n);
  if (best < 0) return edges;
  std::vector<Edge> result;
  const std::vector<int>& loop = face(best);
  for (std::size_t i = 0; i < loop.size(); ++i) result.push_back({loop[i], loop[(i + 1) % loop.size()], best, -1});
  return result;
}

double Solid::extent() const {
  double most = radius;
  for (const Vector3& corner : corners) most = std::max(most, (corner - corners.front()).cwiseAbs().maxCoeff());
  return most;
}

}  // namespace carom::geometry::space

#include "geometry/plane/section.h"

namespace carom::geometry::plane {

Polygon section(const Polytope& shape) {
  std::vector<Eigen::Vector2d> points;
  for (const std::vector<int>& face : shape.faces)
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Vector3& a = shape.corners[face[i]];
      const Vector3& b = shape.corners[face[(i + 1) % face.size()]];
      if (a.z() == 0) points.emplace_back(a.x(), a.y());
      if (a.z() * b.z() < 0) points.emplace_back((a + a.z() / (a.z() - b.z()) * (b - a)).head<2>());
    }
  return convex_polygon(points);
}

}  // namespace carom::geometry::plane

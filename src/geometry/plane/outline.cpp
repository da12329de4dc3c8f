#include "carom/geometry/plane/outline.h"

namespace carom::geometry::plane {

Outline::Outline(const std::vector<Vector2>& local, double radius_, const Pose& pose) : radius(radius_) {
  corners.reserve(local.size());
  for (const Vector2& corner : local) corners.emplace_back(pose.to_world({corner.x(), corner.y(), 0}).head<2>());
}

Vector2 Outline::normal(std::size_t side) const {
  const Vector2 along = corner(side + 1) - corner(side);
  return Vector2(along.y(), -along.x()).stableNormalized();
}

Outline rectangle_outline(double a, double b, const Pose& pose) {
  return {{{-a, -b}, {a, -b}, {a, b}, {-a, b}}, 0, pose};
}

}  // namespace carom::geometry::plane

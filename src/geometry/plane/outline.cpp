#include "geometry/plane/outline.h"

#include "geometry/plane/section.h"

namespace carom::geometry::plane {
namespace {

Outline placed(const std::vector<Vector2>& corners, double radius, const Pose& pose) {
  Outline result{{}, radius};
  result.corners.reserve(corners.size());
  for (const Vector2& corner : corners)
    result.corners.emplace_back(pose.to_world({corner.x(), corner.y(), 0}).head<2>());
  return result;
}
Outline rectangle(double a, double b, const Pose& pose) {
  return placed({{-a, -b}, {a, -b}, {a, b}, {-a, b}}, 0, pose);
}

struct OutlineOf {
  const Pose& pose;
  using Result = std::optional<Outline>;

  Result operator()(const Sphere& s) const { return placed({{0, 0}}, s.radius, pose); }
  Result operator()(const Box& s) const { return rectangle(s.half.x(), s.half.y(), pose); }
  Result operator()(const Capsule& s) const {
    if (s.half_length == 0) return placed({{0, 0}}, s.radius, pose);
    return placed({{-s.half_length, 0}, {s.half_length, 0}}, s.radius, pose);
  }
  Result operator()(const Cylinder& s) const { return rectangle(s.half_length, s.radius, pose); }
  Result operator()(const Ellipsoid&) const { return {}; }
  Result operator()(const Superellipsoid&) const { return {}; }
  Result operator()(const HalfSpace&) const { return {}; }
  Result operator()(const Polygon& s) const { return placed(s.corners, 0, pose); }
  Result operator()(const Polytope& s) const { return placed(section(s).corners, 0, pose); }
};

}  // namespace

Vector2 Outline::normal(std::size_t side) const {
  const Vector2 along = corner(side + 1) - corner(side);
  return Vector2(along.y(), -along.x()).stableNormalized();
}

std::optional<Outline> outline(const Shape& shape, const Pose& pose) {
  return std::visit(OutlineOf{pose}, shape);
}

}  // namespace carom::geometry::plane

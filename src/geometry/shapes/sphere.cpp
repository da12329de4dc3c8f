#include "carom/geometry/shapes/sphere.h"

#include <cmath>
#include <numbers>

namespace carom::geometry {

std::vector<ShapeField> Sphere::fields(const Form&) {
  return {{"radius", Numbers{{&radius}}, "its radius [m]"}};
}

MassProperties Sphere::in_space() const {
  const double volume = 4.0 / 3 * std::numbers::pi * std::pow(radius, 3);
  return symmetric(volume, Vector3::Constant(volume * radius * radius / 5));
}

MassProperties Sphere::in_plane() const {
  const double area = std::numbers::pi * radius * radius;
  return symmetric(area, area / 4 * Vector3(radius * radius, radius * radius, 0));
}

Curvature Sphere::curvature(const Vector3&, const Vector3& n) const {
  return ball_curvature(radius, n);
}

plane::Outline Sphere::outline(const Pose& pose) const {
  return {{{0, 0}}, radius, pose};
}

space::Solid Sphere::solid(const Pose& pose) const {
  return {{Vector3::Zero()}, radius, pose};
}

}  // namespace carom::geometry

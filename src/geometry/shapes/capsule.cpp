#include "carom/geometry/shapes/capsule.h"

#include <cmath>
#include <numbers>

namespace carom::geometry {

std::vector<ShapeField> Capsule::fields(const Form&) {
  return {{"radius", Numbers{{&radius}}, "its radius [m]"},
          {"length", Numbers{{&half_length}, 0.5}, "the length of its straight part [m]"}};
}

void Capsule::scale(double factor) {
  radius *= factor;
  half_length *= factor;
}

Vector3 Capsule::support_point(const Vector3& d) const {
  Vector3 point = radius * d.stableNormalized();
  point.x() += std::copysign(half_length, d.x());
  return point;
}

MassProperties Capsule::in_space() const {
  const double r = radius, l = half_length, pi = std::numbers::pi, rod = 2 * pi * r * r * l,
               ball = 4.0 / 3 * pi * r * r * r;
  const double along = rod * l * l / 3 + ball * (r * r / 5 + l * l + 0.75 * l * r);
  const double across = rod * r * r / 4 + ball * r * r / 5;
  return symmetric(rod + ball, {along, across, across});
}

MassProperties Capsule::in_plane() const {
  const double r = radius, l = half_length, pi = std::numbers::pi, rod = 4 * r * l, disc = pi * r * r;
  const double along = rod * l * l / 3 + disc * (r * r / 4 + l * l + 8 * l * r / (3 * pi));
  return symmetric(rod + disc, {along, rod * r * r / 3 + disc * r * r / 4, 0});
}

Curvature Capsule::curvature(const Vector3& x, const Vector3& n) const {
  if (std::abs(x.x()) >= half_length * (1 - kOnFace)) return ball_curvature(radius, n);
  return {1 / radius, 0, Vector3::UnitX().cross(n).stableNormalized()};
}

plane::Outline Capsule::outline(const Pose& pose) const {
  if (half_length == 0) return {{{0, 0}}, radius, pose};
  return {{{-half_length, 0}, {half_length, 0}}, radius, pose};
}

space::Solid Capsule::solid(const Pose& pose) const {
  if (half_length == 0) return {{Vector3::Zero()}, radius, pose};
  return {{corner(0), corner(1)}, radius, pose};
}

}  // namespace carom::geometry

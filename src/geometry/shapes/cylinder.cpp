#include "carom/geometry/shapes/cylinder.h"

#include <cmath>
#include <numbers>

namespace carom::geometry {
namespace {

constexpr double kUpright = 1e-8;  // tilted by less it stands on the rim's four marks alone
constexpr double kStanding = 0.9;  // cosine of the tilt up to which the marks of an end take part

}  // namespace

std::vector<ShapeField> Cylinder::fields(const Form&) {
  return {{"radius", Numbers{{&radius}}, "its radius [m]"}, {"length", Numbers{{&half_length}, 0.5}, "its length [m]"}};
}

double Cylinder::reach() const {
  return std::hypot(half_length, radius);
}

void Cylinder::scale(double factor) {
  radius *= factor;
  half_length *= factor;
}

Vector3 Cylinder::support_point(const Vector3& d) const {
  const Vector3 across = Vector3(0, d.y(), d.z()).stableNormalized();
  return {std::copysign(half_length, d.x()), radius * across.y(), radius * across.z()};
}

MassProperties Cylinder::in_space() const {
  const double r2 = radius * radius, volume = 2 * std::numbers::pi * r2 * half_length;
  return symmetric(volume, volume * Vector3(half_length * half_length / 3, r2 / 4, r2 / 4));
}

MassProperties Cylinder::in_plane() const {
  return rectangle(half_length, radius);
}

Curvature Cylinder::curvature(const Vector3& x, const Vector3& n) const {
  const double slack = kOnFace * std::max(radius, half_length), r = std::hypot(x.y(), x.z());
  const bool side = r >= radius - slack, end = std::abs(x.x()) >= half_length - slack;
  const Vector3 around = Vector3(0, -x.z(), x.y()).stableNormalized();
  // A rim is an edge that turns with the normal's part across the axis.
  if (side && end) return edge_curvature(around, n, std::hypot(n.y(), n.z()) / radius);
  if (end) return flat_curvature(n);
  return {1 / radius, 0, around};
}

plane::Outline Cylinder::outline(const Pose& pose) const {
  return plane::rectangle_outline(half_length, radius, pose);
}

std::vector<SurfacePlace> Cylinder::rim_points(const Pose& pose, const Vector3& down) const {
  const Vector3 d = pose.orientation.conjugate() * down;
  const double tilt = std::hypot(d.y(), d.z()), r = radius, end = std::copysign(half_length, d.x());
  std::vector<SurfacePlace> result;
  const auto add = [&](const Vector3& local, Element element) { result.push_back({pose.to_world(local), element}); };
  if (tilt > kUpright) {
    const Vector3 low(0, r * d.y() / tilt, r * d.z() / tilt);
    add(low + Vector3(end, 0, 0), {Element::Kind::rim, end > 0 ? 1 : 0});
    add(low - Vector3(end, 0, 0), {Element::Kind::rim, end > 0 ? 0 : 1});
  }
  if (std::abs(d.x()) > kStanding) {
    std::int32_t number = 0;
    for (const Vector3& fixed : {Vector3(end, r, 0), Vector3(end, 0, r), Vector3(end, -r, 0), Vector3(end, 0, -r)})
      add(fixed, {Element::Kind::corner, end > 0 ? 1 : 0, number++});
  }
  return result;
}

}  // namespace carom::geometry

#include "geometry/half_space.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "geometry/plane/outline.h"
#include "geometry/space/solid.h"
#include "geometry/support.h"

namespace carom::geometry {
namespace {

constexpr double kUpright = 1e-8;  // a cylinder tilted by less stands on the rim's four marks alone
constexpr double kStanding = 0.9;  // cosine of the tilt up to which the marks of a cylinder's end take part

/// A corner of a shape, with the radius of its round edges taken along.
SurfacePlace lowest(const Vector3& corner, std::size_t i, double radius, const Vector3& down) {
  const auto kind = radius > 0 ? Element::Kind::ball : Element::Kind::corner;
  return {corner + radius * down, {kind, static_cast<std::int32_t>(i)}};
}

/// The points of a bounded shape that may touch the half-space below.
std::vector<SurfacePlace> candidates(const Shape& shape, const Pose& pose, const Vector3& down, Dimension dimension) {
  std::vector<SurfacePlace> result;
  if (dimension == Dimension::space && std::holds_alternative<Cylinder>(shape))
    return rim_points(std::get<Cylinder>(shape), pose, down);
  if (std::holds_alternative<Ellipsoid>(shape) || std::holds_alternative<Superellipsoid>(shape))
    return {{pose.to_world(support_point(shape, pose.orientation.conjugate() * down)), {Element::Kind::curved}}};
  if (dimension == Dimension::plane) {
    const plane::Outline outline = *plane::outline(shape, pose);
    for (std::size_t i = 0; i < outline.corners.size(); ++i)
      result.push_back(lowest({outline.corners[i].x(), outline.corners[i].y(), 0}, i, outline.radius, down));
    return result;
  }
  const space::Solid solid = *space::solid(shape, pose);
  for (std::size_t i = 0; i < solid.corners.size(); ++i)
    result.push_back(lowest(solid.corners[i], i, solid.radius, down));
  return result;
}

Vector3 world_normal(const HalfSpace& shape, const Pose& pose, Dimension dimension) {
  Vector3 normal = pose.orientation * shape.normal;
  if (dimension == Dimension::plane) normal.z() = 0;
  if (!(normal.squaredNorm() > 0)) throw InputError("shape", "the normal of a half-space in the plane lies in it");
  return normal.stableNormalized();
}

ContactPoint two_half_spaces(const Vector3& n, const Pose& pose_a, const Vector3& n_b, const Pose& pose_b) {
  const double gap = n.dot(pose_b.position - pose_a.position);
  const bool opposed = (n + n_b).norm() <= 4 * std::numeric_limits<double>::epsilon();
  return {opposed ? gap : -std::numeric_limits<double>::infinity(),
          pose_b.position - gap * n,
          pose_b.position,
          n,
          {{Element::Kind::face}, {Element::Kind::face}}};
}

}  // namespace

std::vector<SurfacePlace> rim_points(const Cylinder& cylinder, const Pose& pose, const Vector3& down) {
  const Vector3 d = pose.orientation.conjugate() * down;
  const double tilt = std::hypot(d.y(), d.z()), r = cylinder.radius, end = std::copysign(cylinder.half_length, d.x());
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

void half_space_contacts(const HalfSpace& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                         Dimension dimension, std::vector<ContactPoint>& points) {
  const Vector3 n = world_normal(a, pose_a, dimension);
  if (const HalfSpace* other = std::get_if<HalfSpace>(&b)) {
    points.push_back(two_half_spaces(n, pose_a, world_normal(*other, pose_b, dimension), pose_b));
    return;
  }
  std::vector<SurfacePlace> found = candidates(b, pose_b, -n, dimension);
  const auto gap = [&](const SurfacePlace& candidate) { return n.dot(candidate.point - pose_a.position); };
  std::iter_swap(found.begin(), std::min_element(found.begin(), found.end(),
                                                 [&](const auto& p, const auto& q) { return gap(p) < gap(q); }));
  const std::size_t first = points.size();
  for (const SurfacePlace& candidate : found) {
    const double g = gap(candidate);
    const bool nearest = points.size() == first;
    if (!nearest && g > margin) continue;
    if (!nearest && (points[first].point_b - candidate.point).norm() <= kUpright * reach(b)) continue;
    points.push_back({g, candidate.point - g * n, candidate.point, n, {{Element::Kind::face}, candidate.element}});
  }
}

}  // namespace carom::geometry

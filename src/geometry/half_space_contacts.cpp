#include "carom/geometry/half_space_contacts.h"

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/geometry/plane/outline_contacts.h"
#include "carom/geometry/space/solid_contacts.h"

namespace carom::geometry {
namespace {

constexpr double kSameCandidate = 1e-8;  // part of the size: points closer than this are one

/// A corner of a shape, with the radius of its round edges taken along.
SurfacePlace lowest(const Vector3& corner, std::size_t i, double radius, const Vector3& down) {
  const auto kind = radius > 0 ? Element::Kind::ball : Element::Kind::corner;
  return {corner + radius * down, {kind, static_cast<std::int32_t>(i)}};
}

/// The points of a bounded shape that may touch the half-space below: corners of hulls, points of rims, or the farthest
/// of smooth shapes.
std::vector<SurfacePlace> candidates(const Shape& shape, const Pose& pose, const Vector3& down, Dimension dimension) {
  std::vector<SurfacePlace> result;
  if (dimension == Dimension::plane) {
    if (const auto outline = plane::outline(shape, pose))
      for (std::size_t i = 0; i < outline->corners.size(); ++i)
        result.push_back(lowest({outline->corners[i].x(), outline->corners[i].y(), 0}, i, outline->radius, down));
  } else if (const auto solid = space::solid(shape, pose)) {
    for (std::size_t i = 0; i < solid->corners.size(); ++i)
      result.push_back(lowest(solid->corners[i], i, solid->radius, down));
  } else {
    std::visit(
        [&]<class S>(const S& one) {
          if constexpr (RimmedShape<S>) result = one.rim_points(pose, down);
        },
        shape);
  }
  if (result.empty())
    result.push_back(
        {pose.to_world(support_point(shape, pose.orientation.conjugate() * down)), {Element::Kind::curved}});
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
    if (!nearest && (points[first].point_b - candidate.point).norm() <= kSameCandidate * reach(b)) continue;
    points.push_back({g, candidate.point - g * n, candidate.point, n, {{Element::Kind::face}, candidate.element}});
  }
}

}  // namespace carom::geometry

#include "geometry/half_space.h"

#include <algorithm>
#include <cmath>

#include "geometry/feature.h"
#include "geometry/plane/outline.h"
#include "geometry/space/solid.h"
#include "geometry/support.h"
#include "impact/error.h"

namespace carom::geometry {
namespace {

constexpr double kUpright = 1e-8;  // a cylinder tilted by less stands on the rim's four marks alone
constexpr double kStanding = 0.9;  // cosine of the tilt up to which the marks of a cylinder's end take part

MarkedPoint corner(const Vector3& point, std::size_t i) {
  return {point, static_cast<int>(i)};
}

/// The points of a bounded shape that may touch the half-space below.
std::vector<MarkedPoint> candidates(const Shape& shape, const Pose& pose, const Vector3& down, Dimension dimension) {
  std::vector<MarkedPoint> result;
  if (dimension == Dimension::space && std::holds_alternative<Cylinder>(shape))
    return rim_points(std::get<Cylinder>(shape), pose, down);
  if (std::holds_alternative<Ellipsoid>(shape) || std::holds_alternative<Superellipsoid>(shape))
    return {corner(pose.to_world(support_point(shape, pose.orientation.conjugate() * down)), 0)};
  if (dimension == Dimension::plane) {
    const plane::Outline outline = *plane::outline(shape, pose);
    for (std::size_t i = 0; i < outline.corners.size(); ++i)
      result.push_back(corner(Vector3(outline.corners[i].x(), outline.corners[i].y(), 0) + outline.radius * down, i));
    return result;
  }
  const space::Solid solid = *space::solid(shape, pose);
  for (std::size_t i = 0; i < solid.corners.size(); ++i)
    result.push_back(corner(solid.corners[i] + solid.radius * down, i));
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
  return {opposed ? gap : -std::numeric_limits<double>::infinity(), pose_b.position - gap * n, pose_b.position, n,
          feature(Meeting::smooth, 0, 0)};
}

}  // namespace

std::vector<MarkedPoint> rim_points(const Cylinder& cylinder, const Pose& pose, const Vector3& down) {
  const Vector3 d = pose.orientation.conjugate() * down;
  const double tilt = std::hypot(d.y(), d.z()), r = cylinder.radius, end = std::copysign(cylinder.half_length, d.x());
  std::vector<MarkedPoint> result;
  const auto add = [&](const Vector3& local, int mark) { result.push_back({pose.to_world(local), mark}); };
  if (tilt > kUpright) {
    const Vector3 low(0, r * d.y() / tilt, r * d.z() / tilt);
    add(low + Vector3(end, 0, 0), end > 0 ? 0 : 1);
    add(low - Vector3(end, 0, 0), end > 0 ? 1 : 0);
  }
  if (std::abs(d.x()) > kStanding) {
    int mark = end > 0 ? 10 : 20;
    for (const Vector3& fixed : {Vector3(end, r, 0), Vector3(end, 0, r), Vector3(end, -r, 0), Vector3(end, 0, -r)})
      add(fixed, mark++);
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
  std::vector<MarkedPoint> found = candidates(b, pose_b, -n, dimension);
  const auto gap = [&](const MarkedPoint& candidate) { return n.dot(candidate.point - pose_a.position); };
  std::iter_swap(found.begin(), std::min_element(found.begin(), found.end(),
                                                 [&](const auto& p, const auto& q) { return gap(p) < gap(q); }));
  const std::size_t first = points.size();
  for (const MarkedPoint& candidate : found) {
    const double g = gap(candidate);
    const bool nearest = points.size() == first;
    if (!nearest && g > margin) continue;
    if (!nearest && (points[first].point_b - candidate.point).norm() <= kUpright * reach(b)) continue;
    points.push_back(
        {g, candidate.point - g * n, candidate.point, n, feature(Meeting::face_corner, 0, candidate.mark)});
  }
}

}  // namespace carom::geometry

#include "carom/geometry/feature_contact.h"

#include <cmath>

namespace carom::geometry {
namespace {

constexpr double kNearEnd = 1e-8;    // part of a side's length: nearer to its end others may meet in the same place
constexpr double kOfOverlap = 4;     // times the gap: nearer to the end another side may be the one that is met
constexpr double kShallow = 1e-2;    // of the side's length: larger gaps are not looked at here
constexpr double kNotDeeper = 1e-9;  // of the side's length by which the corners beside may be deeper

using Vector2 = Eigen::Vector2d;

/// Corners of a shape with straight sides in the plane, in the order of its outline; none if it has others.
std::size_t count_corners(const Shape& shape) {
  if (std::holds_alternative<Box>(shape)) return 4;
  const Polygon* polygon = std::get_if<Polygon>(&shape);
  return polygon ? polygon->corners.size() : 0;
}
/// A pose as far as the plane goes.
struct PlanarPose {
  Vector2 position;
  Eigen::Matrix2d turn;

  explicit PlanarPose(const Pose& pose)
      : position(pose.position.head<2>()), turn(pose.orientation.toRotationMatrix().topLeftCorner<2, 2>()) {}
};

Vector2 corner_in_world(const Shape& shape, const PlanarPose& pose, std::size_t i, std::size_t count) {
  i %= count;
  if (const Box* box = std::get_if<Box>(&shape))
    return pose.position + pose.turn * Vector2(i == 1 || i == 2 ? box->half.x() : -box->half.x(),
                                               i >= 2 ? box->half.y() : -box->half.y());
  return pose.position + pose.turn * std::get<Polygon>(shape).corners[i];
}

ContactPoint exchanged_sides(const ContactPoint& point) {
  return {point.gap, point.point_b, point.point_a, -point.normal, point.feature.exchanged()};
}

/// Corner j of b on side i of a.
std::optional<ContactPoint> corner_on_side(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                           const Feature& feature) {
  const std::size_t sides = count_corners(a), corners = count_corners(b);
  const std::size_t i = static_cast<std::size_t>(feature.a.first), j = static_cast<std::size_t>(feature.b.first);
  if (i >= sides || j >= corners || corners < 3 || sides < 3) return std::nullopt;
  const PlanarPose at_a(pose_a), at_b(pose_b);
  const Vector2 start = corner_in_world(a, at_a, i, sides), along = corner_in_world(a, at_a, i + 1, sides) - start;
  const Vector2 corner = corner_in_world(b, at_b, j, corners);
  const double length = along.norm();
  const Vector2 normal = Vector2(along.y(), -along.x()).stableNormalized();
  const double gap = normal.dot(corner - start), place = along.dot(corner - start) / length;
  const double end = kNearEnd * length + kOfOverlap * std::abs(gap);
  if (!(std::abs(gap) <= kShallow * length && place >= end && place <= length - end)) return std::nullopt;
  for (const std::size_t beside : {j + 1, j + corners - 1})
    if (!(normal.dot(corner_in_world(b, at_b, beside, corners) - corner) >= -kNotDeeper * length)) return std::nullopt;
  const Vector2 foot = corner - gap * normal;
  return ContactPoint{gap, Vector3(foot.x(), foot.y(), 0), Vector3(corner.x(), corner.y(), 0),
                      Vector3(normal.x(), normal.y(), 0), feature};
}

/// Where the corner of a feature is in the world; nothing if the shape has none of that number.
std::optional<Vector3> corner_of_shape(const Shape& shape, const Pose& pose, std::int32_t i, Dimension dimension) {
  if (i < 0) return std::nullopt;
  if (dimension == Dimension::plane) {
    const std::size_t count = count_corners(shape), k = static_cast<std::size_t>(i);
    if (k >= count) return std::nullopt;
    const Vector2 corner = corner_in_world(shape, PlanarPose(pose), k, count);
    return Vector3(corner.x(), corner.y(), 0);
  }
  if (const Box* box = std::get_if<Box>(&shape)) return pose.to_world(box->corner(i));
  return std::nullopt;
}

std::optional<ContactPoint> corner_on_half_space(const HalfSpace& a, const Pose& pose_a, const Shape& b,
                                                 const Pose& pose_b, const Feature& feature, Dimension dimension) {
  const std::optional<Vector3> corner = corner_of_shape(b, pose_b, feature.b.first, dimension);
  if (!corner) return std::nullopt;
  Vector3 n = pose_a.orientation * a.normal;
  if (dimension == Dimension::plane) n.z() = 0;
  n = n.stableNormalized();
  const double gap = n.dot(*corner - pose_a.position);
  return ContactPoint{gap, *corner - gap * n, *corner, n, feature};
}

}  // namespace

std::optional<ContactPoint> feature_contact(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                            const Feature& feature, Dimension dimension) {
  if (dimension == Dimension::line) return std::nullopt;
  const bool on_b = feature.a.kind == Element::Kind::corner && feature.b.kind == Element::Kind::face;
  if (on_b) {
    const auto mirrored = feature_contact(b, pose_b, a, pose_a, feature.exchanged(), dimension);
    return mirrored ? std::optional(exchanged_sides(*mirrored)) : std::nullopt;
  }
  if (feature.a.kind != Element::Kind::face || feature.b.kind != Element::Kind::corner) return std::nullopt;
  if (const HalfSpace* below = std::get_if<HalfSpace>(&a))
    return corner_on_half_space(*below, pose_a, b, pose_b, feature, dimension);
  return dimension == Dimension::plane ? corner_on_side(a, pose_a, b, pose_b, feature) : std::nullopt;
}

}  // namespace carom::geometry

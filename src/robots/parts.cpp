#include "carom/robots/parts.h"

#include <algorithm>
#include <limits>

namespace carom::robots {
namespace {

Pose along_x(const Pose& pose) {
  return pose * Pose{Vector3::Zero(), Quaternion::FromTwoVectors(Vector3::UnitX(), Vector3::UnitZ())};
}

}  // namespace

geometry::Part part_of(const LinkShape& shape) {
  using Kind = LinkShape::Kind;
  switch (shape.kind) {
    case Kind::box:
      return {geometry::Box{0.5 * shape.size}, shape.pose, shape.name};
    case Kind::sphere:
      return {geometry::Sphere{shape.radius}, shape.pose, shape.name};
    case Kind::cylinder:
      return {geometry::Cylinder{shape.radius, 0.5 * shape.length}, along_x(shape.pose), shape.name};
    case Kind::capsule:
      return {geometry::Capsule{shape.radius, 0.5 * shape.length}, along_x(shape.pose), shape.name};
    case Kind::ellipsoid:
      return {geometry::Ellipsoid{shape.size}, shape.pose, shape.name};
    case Kind::hull:
      return {geometry::convex_polytope(shape.corners), shape.pose, shape.name};
    case Kind::plane:
      break;
  }
  return {geometry::HalfSpace{Vector3::UnitZ()}, shape.pose, shape.name};
}

geometry::MassProperties solid_of(const LinkShape& shape) {
  const geometry::Part part = part_of(shape);
  geometry::MassProperties solid = geometry::mass_properties(part.shape, geometry::Dimension::space);
  const Matrix3 R = part.pose.orientation.toRotationMatrix();
  solid.centre = part.pose.to_world(solid.centre);
  solid.inertia = R * solid.inertia * R.transpose();
  return solid;
}

std::optional<double> floor_of(const Robot& robot, const std::vector<Pose>& poses) {
  constexpr double level = 1e-9;
  std::optional<double> height;
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    for (const LinkShape& shape : robot.links[i].shapes) {
      const Pose place = poses[i] * shape.pose;
      if (!robot.links[i].fixed || shape.kind != LinkShape::Kind::plane) continue;
      if ((place.orientation * Vector3::UnitZ() - Vector3::UnitZ()).norm() > level) continue;
      height = std::max(height.value_or(place.position.z()), place.position.z());
    }
  return height;
}

double lowest_point(const Robot& robot, const std::vector<Pose>& poses) {
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    if (robot.links[i].fixed) continue;
    for (const LinkShape& shape : robot.links[i].shapes) {
      if (shape.kind == LinkShape::Kind::plane) continue;
      const geometry::Part part = part_of(shape);
      const Pose place = poses[i] * part.pose;
      const Vector3 down = place.orientation.conjugate() * Vector3(0, 0, -1);
      lowest = std::min(lowest, place.to_world(geometry::support_point(part.shape, down)).z());
    }
  }
  return lowest;
}

}  // namespace carom::robots

#pragma once

#include <Eigen/Geometry>

namespace carom {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Quaternion = Eigen::Quaterniond;

/// Where a rigid frame is: x_world = position + orientation * x_local.
struct Pose {
  Vector3 position = Vector3::Zero();
  Quaternion orientation = Quaternion::Identity();

  Vector3 to_world(const Vector3& local) const { return position + orientation * local; }
  Vector3 to_local(const Vector3& world) const { return orientation.conjugate() * (world - position); }
  Pose operator*(const Pose& inner) const {  // the pose of a frame that has the pose `inner` in this one
    return {to_world(inner.position), orientation * inner.orientation};
  }
};

/// The shortest rotation that turns one unit vector into another; of opposite ones, a half turn about some axis.
Quaternion rotation_between(const Vector3& from, const Vector3& to);

}  // namespace carom

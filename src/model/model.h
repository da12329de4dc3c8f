#pragma once

#include <string>
#include <vector>

#include "carom/impact/mass_matrix.h"
#include "carom/model/description.h"
#include "carom/numerics/linear_algebra.h"

namespace carom {

/// Time, positions and velocities. A free body has in q: x | x, y, angle | x, y, z and a quaternion (w, x, y, z), and
/// in u: x' | x', y', angle' | velocity of the centre of mass and angular velocity in the body's frame.
struct State {
  double t = 0;
  Vector q, u;
};

/// How a frame moves: velocity of its origin and angular velocity, both in the world.
struct Twist {
  Vector3 velocity = Vector3::Zero(), angular = Vector3::Zero();

  Vector3 at(const Vector3& arm) const { return velocity + angular.cross(arm); }
};

/// A description made ready to move: which entries of q and u belong to which body, and the mass matrix, which is
/// constant because angular velocities are taken in the bodies' frames.
class Model {
 public:
  Model() = default;
  /// Throws InputError with a place such as bodies[2].mass.
  explicit Model(Description description);

  const Description& description() const { return description_; }
  const std::vector<Body>& bodies() const { return description_.bodies; }
  Dimension dimension() const { return description_.dimension; }
  Index positions() const { return positions_; }                                   // length of q
  Index velocities() const { return velocities_; }                                 // length of u
  Index first_position(int body) const { return body < 0 ? -1 : first_q_[body]; }  // -1: not free
  Index first_velocity(int body) const { return body < 0 ? -1 : first_u_[body]; }
  const MassMatrix& M() const { return M_; }

  /// What one free body puts into M, ready to divide by.
  struct Inertia {
    double mass = 1;                        // [kg]
    double spin = 1;                        // [kg m^2] in the plane
    Matrix3 turning = Matrix3::Identity();  // [1/(kg m^2)] the inverse, in space, in the body's frame
  };
  const std::vector<Inertia>& inertias() const { return inertias_; }  // (free bodies) in the order of u

  std::string body_name(int body) const;             // "world" for -1
  std::string shape_name(int body, int part) const;  // empty: it has none, or there is no such shape

  /// The mass matrix of some free bodies alone, in their order.
  MassMatrix mass_matrix(const std::vector<int>& bodies) const;

  /// Free bodies that joints connect, and these joints. A body without joints is a group of its own.
  struct Group {
    std::vector<int> bodies, joints;
  };
  const Group& group(int body) const { return groups_[group_of_[body]]; }

  State state(const Placement& placement, double t = 0) const;

  Pose pose(int body, const State& state) const;  // body -1: the world
  Twist twist(int body, const State& state) const;
  /// Acceleration of the frame with u' = 0: what the motion of prescribed bodies and the turning of frames contribute.
  Twist bias_acceleration(int body, const State& state) const;

  /// q' for given q and u.
  void position_rate(const State& state, double* rate) const;
  void normalize(Vector& q) const;  // quaternions back to length 1

  /// Moves q by a small displacement given in the directions of u (over a unit of time).
  void displace(Vector& q, const Vector& step) const;

  /// Adds a force `n` through the point at `arm` from the body's origin (world frame), as an entry for each velocity:
  /// emit(row, value). Nothing for bodies that are not free.
  template <class Emit>
  void direction(int body, const Pose& pose, const Vector3& arm, const Vector3& n, Emit&& emit) const {
    torque_direction(body, pose, arm.cross(n), emit);
    const Index row = body < 0 ? -1 : first_velocity(body);
    if (row < 0) return;
    for (Index i = 0; i < static_cast<Index>(dimension()); ++i)
      if (n[i] != 0) emit(row + i, n[i]);
  }
  template <class Emit>
  void torque_direction(int body, const Pose& pose, const Vector3& torque, Emit&& emit) const {
    const Index row = body < 0 ? -1 : first_velocity(body);
    if (row < 0 || dimension() == Dimension::line) return;
    if (dimension() == Dimension::plane) {
      if (torque.z() != 0) emit(row + 2, torque.z());
      return;
    }
    const Vector3 local = pose.orientation.conjugate() * torque;
    for (Index i = 0; i < 3; ++i)
      if (local[i] != 0) emit(row + 3 + i, local[i]);
  }

 private:
  Description description_;
  std::vector<Index> first_q_, first_u_;
  std::vector<int> group_of_;  // (bodies)
  std::vector<Group> groups_;
  Index positions_ = 0, velocities_ = 0;
  MassMatrix M_;
  std::vector<Inertia> inertias_;

  void find_groups();
};

/// The state with every free body in the box, where space is periodic (periodic.h).
State inside_box(const Model& model, State state);

}  // namespace carom

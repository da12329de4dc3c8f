#include "carom/model/forces.h"

#include <cmath>

#include "carom/model/joint_coordinate.h"
#include "carom/model/state_value.h"

namespace carom {
namespace {

struct End {
  int body = -1;
  Pose pose;
  Vector3 arm, position, velocity;

  End(const Model& model, const State& state, const Anchor& anchor)
      : body(anchor.body),
        pose(model.pose(anchor.body, state)),
        arm(pose.orientation * anchor.point),
        position(pose.position + arm),
        velocity(model.twist(anchor.body, state).at(arm)) {}
};

/// Sums forces into h, and the work of those that act on prescribed bodies, which no kinetic energy accounts for.
class Sum {
 public:
  Sum(const Model& model, const State& state, Forces& total) : model_(model), state_(state), total_(total) {}

  void gravity() {
    const Vector3& g = model_.description().gravity;
    const Index axes = static_cast<Index>(model_.dimension());
    for (std::size_t i = 0; i < model_.bodies().size(); ++i) {
      const Index row = model_.first_velocity(static_cast<int>(i));
      if (row >= 0) total_.h.segment(row, axes) += model_.bodies()[i].mass * g.head(axes);
    }
  }

  /// The bodies' frames turn: I w' = -w x I w + torque.
  void gyroscopic() {
    if (model_.dimension() != Dimension::space) return;
    for (std::size_t i = 0; i < model_.bodies().size(); ++i) {
      const Index row = model_.first_velocity(static_cast<int>(i));
      if (row < 0) continue;
      const Vector3 spin = state_.u.segment<3>(row + 3);
      const Vector3 moment = model_.bodies()[i].inertia * spin;
      total_.h.segment<3>(row + 3) -= spin.cross(moment);
    }
  }

  void spring(const Spring& spring) {
    const End a(model_, state_, spring.a), b(model_, state_, spring.b);
    const Vector3 d = b.position - a.position;
    const double length = d.norm();
    const Vector3 n = length > 0 ? Vector3(d / length) : Vector3::Zero();
    const double rate = n.dot(b.velocity - a.velocity);
    const double tension = spring.k * (length - spring.rest) + spring.c * rate;
    force(a.body, a.pose, a.arm, tension * n, a.velocity);
    force(b.body, b.pose, b.arm, -tension * n, b.velocity);
    total_.damping_rate += spring.c * rate * rate;
  }

  void torsion(const TorsionSpring& spring) {
    const Pose pose_a = model_.pose(spring.a, state_), pose_b = model_.pose(spring.b, state_);
    const Twist twist_a = model_.twist(spring.a, state_), twist_b = model_.twist(spring.b, state_);
    const Vector3 axis = pose_a.orientation * spring.axis;
    const double rate = axis.dot(twist_b.angular - twist_a.angular);
    const double moment = spring.k * (relative_angle(model_, state_, spring) - spring.rest) + spring.c * rate;
    torque(spring.a, pose_a, moment * axis, twist_a);
    torque(spring.b, pose_b, -moment * axis, twist_b);
    total_.damping_rate += spring.c * rate * rate;
  }

  void load(const Load& load) {
    Vector3 strength, moment;
    for (std::size_t i = 0; i < 3; ++i) {
      strength[static_cast<Index>(i)] = load.force[i].at(state_.t).value;
      moment[static_cast<Index>(i)] = load.torque[i].at(state_.t).value;
    }
    load_with(load.at, strength, moment);
  }

  void load(const StateLoad& load) {
    Vector3 strength = Vector3::Zero(), moment = Vector3::Zero();
    for (std::size_t i = 0; i < 3; ++i) {
      if (load.force[i]) strength[static_cast<Index>(i)] = value_at(*load.force[i], model_, state_);
      if (load.torque[i]) moment[static_cast<Index>(i)] = value_at(*load.torque[i], model_, state_);
    }
    load_with(load.at, strength, moment);
  }

  void load_with(const Anchor& at, const Vector3& strength, const Vector3& moment) {
    const End end(model_, state_, at);
    if (end.body < 0 || model_.first_velocity(end.body) < 0) return;
    total_.work_rate += strength.dot(end.velocity) + moment.dot(model_.twist(end.body, state_).angular);
    add(end.body, end.pose, end.arm, strength);
    model_.torque_direction(end.body, end.pose, moment, [&](Index row, double value) { total_.h[row] += value; });
  }

  /// Motor and damping of a joint. What they do to free bodies is the motor's work, less the loss, and less what bodies
  /// that move as prescribed take.
  void drive(const Joint& joint) {
    const JointCoordinate coordinate = joint_coordinate(model_, state_, joint);
    const double motor = motor_force(joint, coordinate, model_.dimension(), state_.t);
    const double strength = motor - joint.damping * coordinate.rate;
    coordinate_direction(model_, state_, joint, coordinate, [&](Index row, double value) {
      total_.h[row] += strength * value;
      total_.work_rate += strength * value * state_.u[row];
    });
    const double lost = joint.damping * coordinate.rate * coordinate.rate;
    total_.work_rate += lost;
    total_.damping_rate += lost;
  }

  /// The angle from a to b about the spring's axis. In the plane it counts full turns.
  static double relative_angle(const Model& model, const State& state, const TorsionSpring& spring) {
    if (model.dimension() == Dimension::plane)
      return planar_angle(model, state, spring.b) - planar_angle(model, state, spring.a);
    const Quaternion turn =
        model.pose(spring.a, state).orientation.conjugate() * model.pose(spring.b, state).orientation;
    const double along = turn.vec().dot(spring.axis);
    return 2 * std::atan2(turn.w() < 0 ? -along : along, std::abs(turn.w()));
  }

 private:
  bool is_prescribed(int body) const { return body >= 0 && model_.first_velocity(body) < 0; }

  void add(int body, const Pose& pose, const Vector3& arm, const Vector3& strength) {
    model_.direction(body, pose, arm, strength, [&](Index row, double value) { total_.h[row] += value; });
  }
  void force(int body, const Pose& pose, const Vector3& arm, const Vector3& strength, const Vector3& velocity) {
    add(body, pose, arm, strength);
    if (is_prescribed(body)) total_.work_rate -= strength.dot(velocity);
  }
  void torque(int body, const Pose& pose, const Vector3& moment, const Twist& twist) {
    model_.torque_direction(body, pose, moment, [&](Index row, double value) { total_.h[row] += value; });
    if (is_prescribed(body)) total_.work_rate -= moment.dot(twist.angular);
  }

  const Model& model_;
  const State& state_;
  Forces& total_;
};

}  // namespace

Forces acting_forces(const Model& model, const State& state) {
  Forces total{Vector::Zero(model.velocities())};
  Sum sum(model, state, total);
  sum.gravity();
  sum.gyroscopic();
  for (const Spring& spring : model.description().springs) sum.spring(spring);
  for (const TorsionSpring& spring : model.description().torsion_springs) sum.torsion(spring);
  for (const Load& load : model.description().loads) sum.load(load);
  for (const StateLoad& load : model.description().state_loads) sum.load(load);
  for (const Joint& joint : model.description().joints)
    if (joint.is_driven()) sum.drive(joint);
  return total;
}

JointDrives joint_drives(const Model& model, const State& state) {
  JointDrives result{Vector::Zero(model.velocities()), Vector::Zero(model.velocities())};
  for (const Joint& joint : model.description().joints) {
    if (!joint.is_driven()) continue;
    const JointCoordinate coordinate = joint_coordinate(model, state, joint);
    const double motor = motor_force(joint, coordinate, model.dimension(), state.t);
    coordinate_direction(model, state, joint, coordinate, [&](Index row, double value) {
      result.motors[row] += motor * value;
      result.damping[row] -= joint.damping * coordinate.rate * value;
    });
  }
  return result;
}

double potential_energy(const Model& model, const State& state) {
  double energy = 0;
  const Description& description = model.description();
  const Index axes = static_cast<Index>(model.dimension());
  for (std::size_t i = 0; i < model.bodies().size(); ++i) {
    const Index q = model.first_position(static_cast<int>(i));
    if (q >= 0) energy -= model.bodies()[i].mass * description.gravity.head(axes).dot(state.q.segment(q, axes));
  }
  for (const Spring& spring : description.springs) {
    const double length = (End(model, state, spring.b).position - End(model, state, spring.a).position).norm();
    energy += 0.5 * spring.k * (length - spring.rest) * (length - spring.rest);
  }
  for (const TorsionSpring& spring : description.torsion_springs) {
    const double turn = Sum::relative_angle(model, state, spring) - spring.rest;
    energy += 0.5 * spring.k * turn * turn;
  }
  return energy;
}

}  // namespace carom

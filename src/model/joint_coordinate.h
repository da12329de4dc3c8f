#pragma once

#include "carom/model/model.h"

namespace carom {

/// Where a revolute [rad] or prismatic [m] joint is: how far b is turned or out against a along the axis, which moves
/// with a. In the plane angles count full turns. In space they are known but for full turns, and taken within half a
/// turn of the middle of the stops, or of 0 where there are none.
struct JointCoordinate {
  double value = 0, rate = 0;
  double bias = 0;                  // of the rate's rate with u' = 0
  Vector3 axis = Vector3::UnitZ();  // in the world
  Vector3 place = Vector3::Zero();  // [m] of b's anchor in the world
};
JointCoordinate joint_coordinate(const Model& model, const State& state, const Joint& joint);

/// The angle of a body in the plane, with full turns; 0 for the world (-1).
double planar_angle(const Model& model, const State& state, int body);

/// rate = sum over emit(row, value) of value * u[row], and what prescribed bodies add.
template <class Emit>
void coordinate_direction(const Model& model, const State& state, const Joint& joint, const JointCoordinate& coordinate,
                          Emit&& emit) {
  const Pose a = model.pose(joint.a.body, state), b = model.pose(joint.b.body, state);
  if (joint.kind == Joint::Kind::revolute) {
    model.torque_direction(joint.a.body, a, -coordinate.axis, emit);
    model.torque_direction(joint.b.body, b, coordinate.axis, emit);
    return;
  }
  model.direction(joint.a.body, a, coordinate.place - a.position, -coordinate.axis, emit);
  model.direction(joint.b.body, b, coordinate.place - b.position, coordinate.axis, emit);
}

/// [N m] or [N] of the joint's motor; 0 if it has none.
double motor_force(const Joint& joint, const JointCoordinate& coordinate, Dimension dimension, double t);

}  // namespace carom

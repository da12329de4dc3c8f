#include "carom/model/joint_coordinate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

bool turns_in_space(const Joint& joint, Dimension dimension) {
  return joint.kind == Joint::Kind::revolute && dimension == Dimension::space;
}

/// The angle of b against a since both were placed, of a joint in space.
double spatial_angle(const Joint& joint, const Pose& a, const Pose& b) {
  const Quaternion turn = a.orientation.conjugate() * b.orientation * joint.relative.conjugate();
  return 2 * std::atan2(turn.vec().dot(joint.axis), turn.w());
}

double near_the_stops(const Joint& joint, double angle) {
  const double middle = joint.stops ? 0.5 * (joint.stops->low + joint.stops->high) : 0;
  return std::isfinite(middle) ? middle + std::remainder(angle - middle, kTurn) : angle;
}

}  // namespace

double planar_angle(const Model& model, const State& state, int body) {
  if (body < 0) return 0;
  if (const Index q = model.first_position(body); q >= 0) return state.q[q + 2];
  const Prescribed& known = *model.bodies()[body].prescribed;
  return known.angle.at(state.t).value * known.axis.z() + 2 * std::atan2(known.start.z(), known.start.w());
}

JointCoordinate joint_coordinate(const Model& model, const State& state, const Joint& joint) {
  const Pose a = model.pose(joint.a.body, state), b = model.pose(joint.b.body, state);
  const Twist twist_a = model.twist(joint.a.body, state), twist_b = model.twist(joint.b.body, state);
  const Twist bias_a = model.bias_acceleration(joint.a.body, state),
              bias_b = model.bias_acceleration(joint.b.body, state);
  JointCoordinate result;
  result.axis = a.orientation * joint.axis;
  result.place = b.to_world(joint.b.point);
  const Vector3& w = twist_a.angular;
  const Vector3 axis_rate = w.cross(result.axis);
  if (joint.kind == Joint::Kind::revolute) {
    const bool plane = model.dimension() == Dimension::plane;
    const double turned = plane ? planar_angle(model, state, joint.b.body) - planar_angle(model, state, joint.a.body)
                                : spatial_angle(joint, a, b);
    result.value = plane ? turned - joint.origin : near_the_stops(joint, turned - joint.origin);
    result.rate = result.axis.dot(twist_b.angular - w);
    result.bias = axis_rate.dot(twist_b.angular) + result.axis.dot(bias_b.angular - bias_a.angular);
    return result;
  }
  const Vector3 arm_a = a.orientation * joint.a.point, arm_b = b.orientation * joint.b.point;
  const Vector3 out = result.place - (a.position + arm_a), v = twist_b.at(arm_b) - twist_a.at(arm_a);
  const auto acceleration = [](const Twist& twist, const Twist& bias, const Vector3& arm) -> Vector3 {
    return bias.at(arm) + twist.angular.cross(twist.angular.cross(arm));
  };
  const Vector3 axis_bias = bias_a.angular.cross(result.axis) + w.cross(axis_rate);
  result.value = result.axis.dot(out) - joint.origin;
  result.rate = result.axis.dot(v) + axis_rate.dot(out);
  result.bias = axis_bias.dot(out) + 2 * axis_rate.dot(v) +
                result.axis.dot(acceleration(twist_b, bias_b, arm_b) - acceleration(twist_a, bias_a, arm_a));
  return result;
}

double motor_force(const Joint& joint, const JointCoordinate& coordinate, Dimension dimension, double t) {
  if (!joint.motor) return 0;
  const Motor& motor = *joint.motor;
  const Jet target = motor.target.at(t);
  double force = target.value;
  if (motor.drive == Motor::Drive::velocity) force = motor.kd * (target.value - coordinate.rate);
  if (motor.drive == Motor::Drive::position) {
    double missing = target.value - coordinate.value;
    if (turns_in_space(joint, dimension) && !joint.stops) missing = std::remainder(missing, kTurn);
    force = motor.kp * missing + motor.kd * (target.rate - coordinate.rate);
  }
  return std::clamp(force, -motor.most, motor.most);
}

}  // namespace carom

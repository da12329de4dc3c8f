#include "carom/scene/drive_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/scene/motion_reader.h"

namespace carom::scene {
namespace {

bool turns(const Joint& joint) {
  return joint.kind == Joint::Kind::revolute;
}

/// [rad] or [m]
double coordinate_unit(const Joint& joint) {
  return turns(joint) ? radians(1) : 1;
}

/// The angle of a body in the plane as the model counts it at the start.
double planar_angle_at_start(const Draft& draft, int body) {
  if (body < 0) return 0;
  const auto angle_of = [](const Quaternion& turn) { return 2 * std::atan2(turn.z(), turn.w()); };
  const std::optional<Prescribed>& known = draft.scene.description.bodies[body].prescribed;
  return known ? known->angle.at(0).value * known->axis.z() + angle_of(known->start)
               : angle_of(draft.pose(body).orientation);
}

void read_stops(const Field& table, Joint& joint) {
  const std::optional<Field> limits = member(table, "limits");
  if (!limits) {
    for (const std::string_view key : {"e", "k", "eta", "arm"})
      if (const std::optional<Field> field = member(table, key))
        fail(*field, "is for the limits of a joint, and this one has none");
    return;
  }
  const std::vector<double> ends = read_numbers(*limits, 2);
  Stops& stops = joint.stops.emplace();
  stops.low = coordinate_unit(joint) * ends[0];
  stops.high = coordinate_unit(joint) * ends[1];
  if (!(ends[0] < ends[1])) fail(*limits, fmt::format("= [{}, {}]; the first is the smaller one", ends[0], ends[1]));
  if (const std::optional<Field> e = member(table, "e")) stops.e = read_unit_interval(*e);
  if (const std::optional<Field> k = member(table, "k")) stops.k = read_positive(*k);
  if (const std::optional<Field> eta = member(table, "eta")) stops.eta = read_positive(*eta);
  const std::optional<Field> arm = member(table, "arm");
  if (arm && !turns(joint)) fail(*arm, "is for revolute joints: how far from the axis their stops are");
  if (arm) stops.arm = read_positive(*arm);
}

/// {position = 30, kp = 10, kd = 1}, {velocity = "2*t", kd = 1} or {torque = 3}; each with max_torque. For prismatic
/// joints force and max_force.
Motor read_motor(const Draft& draft, const Field& table, const Joint& joint) {
  const std::string_view force = turns(joint) ? "torque" : "force", most = turns(joint) ? "max_torque" : "max_force";
  if (!table.node->object()) fail_expected(table, "a table such as {position = 30, kp = 10, kd = 1}");
  require_known_keys(table, std::array<std::string_view, 6>{"position", "velocity", force, "kp", "kd", most});
  const Given given{{table}};
  require_not_both(given, "position", "velocity");
  require_not_both(given, "position", force);
  require_not_both(given, "velocity", force);
  Motor motor;
  if (const std::optional<Field> position = member(table, "position")) {
    motor.drive = Motor::Drive::position;
    motor.target = read_time_function(draft, *position).times(coordinate_unit(joint));
    motor.kp = read_positive(required_member(table, "kp", "its stiffness [N m/rad], or [N/m] of a prismatic joint"));
  } else if (const std::optional<Field> velocity = member(table, "velocity")) {
    motor.drive = Motor::Drive::velocity;
    motor.target = read_time_function(draft, *velocity);
    required_member(table, "kd", "torque over what is missing of the velocity [N m s/rad], or [N s/m]");
  } else {
    motor.target =
        read_time_function(draft, required_member(table, force, "what it drives with, or a position or velocity"));
  }
  const std::optional<Field> kp = member(table, "kp"), kd = member(table, "kd");
  if (kp && motor.drive != Motor::Drive::position) fail(*kp, "is for motors that keep a position");
  if (kd && motor.drive == Motor::Drive::torque) fail(*kd, "is for motors that keep a position or a velocity");
  if (kd) motor.kd = read_not_negative(*kd);
  if (const std::optional<Field> limit = member(table, most)) motor.most = read_positive(*limit);
  return motor;
}

}  // namespace

void read_drive(const Draft& draft, const Field& table, Joint& joint) {
  if (joint.kind != Joint::Kind::revolute && joint.kind != Joint::Kind::prismatic) {
    for (const std::string_view key : kDriveKeys)
      if (const std::optional<Field> field = member(table, key)) fail(*field, "is for revolute and prismatic joints");
    return;
  }
  const std::optional<Field> start = member(table, "start");
  joint.origin = start ? -coordinate_unit(joint) * value_of<double>(*start) : 0;
  if (turns(joint) && draft.dimension() == Dimension::plane)
    joint.origin += planar_angle_at_start(draft, joint.b.body) - planar_angle_at_start(draft, joint.a.body);
  read_stops(table, joint);
  if (const std::optional<Field> damping = member(table, "damping")) joint.damping = read_not_negative(*damping);
  if (const std::optional<Field> motor = member(table, "motor")) joint.motor = read_motor(draft, *motor, joint);
}

}  // namespace carom::scene

#pragma once

#include "carom/model/model.h"

namespace carom {

/// Everything that acts on a model but for contacts and joints, at one state:  M u' = h + ...
struct Forces {
  Vector h;                 // (velocities) gravity, springs, dampers, loads, motors, gyroscopic torques
  double work_rate = 0;     // [W] of loads and motors, and of springs and dampers on bodies that move as prescribed
  double damping_rate = 0;  // [W] what dampers take, >= 0
};
Forces acting_forces(const Model& model, const State& state);

/// (velocities) The forces of motors and those of damping in joints alone.
struct JointDrives {
  Vector motors, damping;
};
JointDrives joint_drives(const Model& model, const State& state);

/// Energy in gravity and in springs [J]; zero height is the origin.
double potential_energy(const Model& model, const State& state);

}  // namespace carom

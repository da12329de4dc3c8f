#pragma once

#include "carom/model/model.h"

namespace carom::simulate {

/// A time step without contacts, at the time and positions of `middle`, from its velocities u-:
///   M (u - u-) = h f(v) + J Lambda_J,   J'v + drift = 0,   v = (1 - theta) u- + theta u.
/// With theta = 1/2, joints that do not move do no work, gyroscopic torques neither, and a body that turns freely keeps
/// |I w| and its energy.
struct FreeMotion {
  Vector u;                  // (velocities) at the end
  Vector across;             // (velocities) its part across the joints
  Vector joint_impulse;      // (velocities) J Lambda_J
  bool joints_move = false;  // on bodies with prescribed motion
  long evaluations = 0;
};
FreeMotion free_motion(const Model& model, const State& middle, double theta, double h);

/// Whether a free body in space turns more easily about some axes than about others.
bool has_gyroscopic_torques(const Model& model);

}  // namespace carom::simulate

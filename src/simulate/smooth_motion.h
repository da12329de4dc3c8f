#pragma once

#include <vector>

#include "model/forces.h"
#include "model/joint_rows.h"
#include "model/touch.h"

namespace carom {

/// Motion without impacts: joints and the contacts in `closed` are constraints.
///   M u' = h + J lambda_J + W lambda,   J'u' + bias_J = 0,   W'u' + bias = 0
struct Reactions {
  Vector acceleration;                     // (velocities) u'
  Vector joints;                           // lambda_J
  Vector contacts;                         // (closed) lambda [N]; a negative one would pull
  double work_rate = 0, damping_rate = 0;  // [W] as in Forces, with what moving walls and joints do
};
Reactions react(const Model& model, const State& state, const std::vector<Touch>& closed);

/// Which of the contacts that touch without moving apart stay closed, by the forces:
///   0 <= W'u' + bias  _|_  lambda >= 0.       [Glocker 2001, (2.24)]
/// Returns lambda, of least norm where it is not unique.
Vector contact_forces(const Model& model, const State& state, const std::vector<Touch>& touching);

/// The touches at the same places of the same bodies at another state; `lost` if one of them has no such place anymore.
struct Followed {
  std::vector<Touch> touches;
  bool lost = false;
};
Followed follow(const Model& model, const State& state, const std::vector<Touch>& touches);

/// Moves q and then u the least (in the kinetic metric) so that joints and closed contacts hold. Returns the largest
/// error of position that was removed [m or rad].
double project(const Model& model, State& state, const std::vector<Touch>& closed);
/// The same for u alone.
void project_velocity(const Model& model, State& state, const std::vector<Touch>& closed);

}  // namespace carom

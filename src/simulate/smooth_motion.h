#pragma once

#include <vector>

#include "carom/model/forces.h"
#include "carom/model/joint_rows.h"
#include "carom/simulate/body_motions.h"
#include "carom/simulate/closed_contacts.h"
#include "carom/simulate/shared_forces.h"

namespace carom::simulate {

/// Motion without impacts: joints and closed contacts are constraints, with Coulomb friction as the mode says.
///   M u' = h + J lambda_J + W lambda,   J'u' + bias_J = 0,   W_N'u' + bias_N = 0,
///   W_T'u' + bias_T = 0 where a contact sticks, lambda_T = -mu lambda_N heading where it slips
/// Where contacts are redundant their forces are shared so that none pulls or leaves its cone, if possible.
struct Reactions {
  Vector acceleration;                     // (velocities) u'
  Vector joints;                           // lambda_J
  Vector contacts;                         // (closed) lambda_N [N]; a negative one would pull
  std::vector<Vector3> friction;           // (closed) on body b [N]
  double work_rate = 0, damping_rate = 0;  // [W] as in Forces, with what moving walls and joints do
  double friction_rate = 0;                // [W] what slip takes
  std::vector<char> open_joints;           // (lambda_J) could be shared in other ways; empty: none
  std::vector<char> open_contacts;         // (closed) the same
};
/// `applied` (velocities): forces besides those of the model; none if it is empty.
Reactions react(const Model& model, const State& state, const Mode& mode, const Vector& applied = {});
/// The same with bodies of that state that were looked at before.
Reactions react(const Model& model, const State& state, BodyMotions& bodies, const Mode& mode,
                const Vector& applied = {});
Reactions react(const Model& model, const State& state, BodyMotions& bodies, const Mode& mode, const Vector& applied,
                ForceOrder& order);

/// The mode at another state: the same places of the same bodies, and for those that are there no more the nearest.
struct Tracked {
  Mode mode;
  bool lost = false;       // some are not there
  std::vector<char> here;  // (closed)

  Mode found() const;  // those that are
};
Tracked follow(const Model& model, const State& state, const Mode& mode);
Tracked follow(const Model& model, const State& state, BodyMotions& bodies, const Mode& mode);

/// Moves q and then u the least (in the kinetic metric) so that joints and closed contacts hold and sticking contacts
/// do not slip. Contacts that are no more where they were do not count.
struct Projected {
  State state;
  double error = 0;  // [m or rad] the largest error of position that was removed
};
Projected project(const Model& model, const State& state, const Mode& mode);
/// The same for u alone.
State project_velocity(const Model& model, const State& state, const Mode& mode);

}  // namespace carom::simulate

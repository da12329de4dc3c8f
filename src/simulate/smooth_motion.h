#pragma once

#include <vector>

#include "carom/base/contact_mode.h"
#include "carom/model/contact_pair.h"
#include "carom/model/forces.h"
#include "carom/model/joint_rows.h"

namespace carom::simulate {

/// How two bodies move along a contact that stays closed.
struct TangentialState {
  double mu = 0;
  ContactMode mode = ContactMode::closed;
  Vector3 heading = Vector3::Zero();  // of slip of body b over body a, a unit vector; in the plane its sense is kept
  bool starting = false;              // slips so slowly as yet that the heading alone tells the direction
  double mu_s = mu;                   // what holds it while it sticks

  /// What bounds the friction force in this mode, of the normal force.
  double bound() const { return mode == ContactMode::stick ? mu_s : mu; }
  TangentialState sticking() const { return {mu, ContactMode::stick, Vector3::Zero(), false, mu_s}; }
  TangentialState slipping(const Vector3& along, bool starts) const {
    return {mu, ContactMode::slip, along, starts, mu_s};
  }
};

/// The contacts that stay closed between two events, and how.
struct Mode {
  std::vector<ContactPair> closed;
  std::vector<TangentialState> tangential;  // (closed)

  bool empty() const { return closed.empty(); }
  void add(const ContactPair& pair, const TangentialState& along) {
    closed.push_back(pair);
    tangential.push_back(along);
  }
};

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

/// The mode at another state: the same places of the same bodies, and for those that are there no more the nearest.
struct Tracked {
  Mode mode;
  bool lost = false;  // some are not there
  Mode found;         // the others only
};
Tracked follow(const Model& model, const State& state, const Mode& mode);

/// The unit direction in which a contact slips now.
Vector3 slip_direction(const Model& model, const State& state, const ContactPair& pair,
                       const TangentialState& tangential);

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

#pragma once

#include <vector>

#include "model/forces.h"
#include "model/joint_rows.h"
#include "model/touch.h"

namespace carom {

/// How two bodies move along a contact that stays closed.
enum class Grip : char { smooth, stick, slip };

struct Hold {
  double mu = 0;
  Grip grip = Grip::smooth;
  Vector3 heading = Vector3::Zero();  // of slip of body b over body a, a unit vector; in the plane its sense is kept
  bool starting = false;              // slips so slowly as yet that the heading alone tells the direction
};

/// Motion without impacts: joints and the contacts in `closed` are constraints, with Coulomb friction as `holds` say.
///   M u' = h + J lambda_J + W lambda,   J'u' + bias_J = 0,   W_N'u' + bias_N = 0,
///   W_T'u' + bias_T = 0 where a contact sticks, lambda_T = -mu lambda_N heading where it slips
struct Reactions {
  Vector acceleration;                     // (velocities) u'
  Vector joints;                           // lambda_J
  Vector contacts;                         // (closed) lambda_N [N]; a negative one would pull
  std::vector<Vector3> friction;           // (closed) on body b [N]
  double work_rate = 0, damping_rate = 0;  // [W] as in Forces, with what moving walls and joints do
  double friction_rate = 0;                // [W] what slip takes
};
Reactions react(const Model& model, const State& state, const std::vector<Touch>& closed,
                const std::vector<Hold>& holds);

/// Which of the contacts that touch without moving apart stay closed, by the forces:
///   0 <= W_N'u' + bias_N  _|_  lambda_N >= 0,        [Glocker 2001, (2.24)]
/// with Coulomb's law for the tangential accelerations of contacts that do not slip; `holds` say which do, and what mu
/// is. Of many forces those of least norm are taken where there is no friction.
struct Closure {
  bool solved = false;  // else there are no such forces
  Vector normal;        // (touching) lambda_N
  std::vector<Hold> holds;
};
Closure close_contacts(const Model& model, const State& state, const std::vector<Touch>& touching,
                       std::vector<Hold> holds);

/// The touches at the same places of the same bodies at another state; `lost` if one of them has no such place anymore.
struct Followed {
  std::vector<Touch> touches;
  bool lost = false;
};
Followed follow(const Model& model, const State& state, const std::vector<Touch>& touches);

/// Moves q and then u the least (in the kinetic metric) so that joints and closed contacts hold. Returns the largest
/// error of position that was removed [m or rad].
double project(const Model& model, State& state, const std::vector<Touch>& closed, const std::vector<Hold>& holds);
/// The same for u alone; sticking contacts do not slip afterwards.
void project_velocity(const Model& model, State& state, const std::vector<Touch>& closed,
                      const std::vector<Hold>& holds);

}  // namespace carom

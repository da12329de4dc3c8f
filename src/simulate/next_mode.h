#pragma once

#include <optional>

#include "carom/impact/force_problem.h"
#include "carom/model/contact_rules.h"
#include "carom/simulate/scales.h"
#include "carom/simulate/smooth_motion.h"

namespace carom::simulate {

/// How contacts that touch without approaching go on.
struct NextMode {
  FoundForces::Kind kind = FoundForces::Kind::unknown;
  Mode mode;
  State state;             // with the velocities of contacts that come to rest exactly zero
  double residual = 0;     // [-] of the forces
  bool slides = false;     // some contact slips: then there may be no forces
  bool ambiguous = false;  // several forces are possible (Painleve's paradox); those of least norm were taken
};

/// Decides by forces which of the contact pairs stay closed, and how:
///   0 <= a_N _|_ lambda_N >= 0,  Coulomb's law for the tangential accelerations of contacts that do not slip.
///                                                                                    [Glocker 2001, (2.24)]
/// Touches that move apart faster than `slow` are open. What is left of the velocities of contacts that have come to
/// rest is removed by an impulse, those of several together if they then stay so. The forces are those at `ahead`, a
/// state a little later as if nothing changed, so that a contact that is just about to open or slip has decided; and
/// they start from those of the mode before, so that redundant contacts keep their share.
NextMode next_mode(const Model& model, const ContactRules& rules, const State& state, const State& ahead,
                   const std::vector<ContactPair>& touching, const Mode& before, const Scales& scales, double slow);

/// By how much each closed contact holds on, all >= 0 as long as the mode lasts: two entries a contact, the force
/// inside its cone relative to the forces around, and the slip in its sense relative to the speeds.
struct Margins {
  Vector value;                   // (2 closed)
  bool lost = false;              // a contact has left the place where it was
  std::vector<Vector3> friction;  // (closed) on body b [N]

  double least() const { return lost ? -1 : value.size() > 0 ? value.minCoeff() : 1; }
};
Margins margins(const Model& model, const State& state, const Mode& mode, const Scales& scales, ForceOrder& order);

/// The mode as it is where it holds, else with the contacts that pull released and those that cannot hold on slipping,
/// the worst first, until it does; nothing if that leads nowhere. Who could not hold on slips the way its friction gave
/// in, whatever is left of its velocity.
std::optional<Mode> amended(const Model& model, const State& state, Mode mode, const Scales& scales);

/// Whether forces are about to grow beyond all bounds: friction presses a slipping contact nearly as fast as its normal
/// force opens it (Painleve's paradox is reached from within).
bool is_jamming(const Model& model, const State& state, const Mode& mode);

/// [m/s] slip in space below this has stopped.
double slow_slip(const Scales& scales);
/// [m/s] slip of contacts that may come to rest with one that does, or that fades slowly.
double slip_of_rest(const Scales& scales);

}  // namespace carom::simulate

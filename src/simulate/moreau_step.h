#pragma once

#include <optional>
#include <vector>

#include "carom/laws/all.h"
#include "carom/model/impact_problem.h"
#include "carom/simulate/body_frames.h"
#include "carom/simulate/carried_impulses.h"
#include "carom/simulate/contact_search.h"
#include "carom/simulate/crowd/crowd_overlaps.h"
#include "carom/simulate/crowd/crowd_step.h"
#include "carom/simulate/free_motion.h"
#include "carom/simulate/joint_balance.h"
#include "carom/simulate/journal.h"
#include "carom/simulate/near_contacts.h"
#include "carom/simulate/overlaps.h"
#include "carom/simulate/scheme.h"
#include "carom/simulate/standing_islands.h"

namespace carom::simulate {

/// One step of the Moreau-Jean scheme, of length h from (q, u-):
///   q_m = q + (1 - theta) h u-
///   u_free without contacts, see free_motion.h
///   M (u+ - u_free) = W Lambda + J Lambda_J,   J'(u+ - u_free) = 0
///   q+ = q_m + theta h u+
/// with the law between gamma- and gamma+ of the contacts that are closed at q_m or would be at q_m + theta h u-. Other
/// near contacts may not overlap at the end: 0 <= gamma+ + gap / (theta h) _|_ Lambda >= 0. Contacts that open take no
/// part, unless the others' impulses close them again: then a second, plastic impact stops them.
///
/// A contact has its e if it approaches faster than the smooth forces make its bodies move within a step. Else it lies,
/// and what carries it is not thrown back: e = 0, or, where e is a share of impulses, that share of what an impact
/// elsewhere adds to them. No step throws back more than it took: where a law would, which some
/// do with friction, all e of the impact are lessened.
///
/// Joints that have drifted, and contacts deeper than a slop, are brought back by the least displacement, which changes
/// no velocities; what joints' velocities miss at the end is in joint_balance.h.         [Moreau 1988, Jean 1999]
///
/// Keeps the ledger of `journal`. Remembers the impulses of the step before, to start from.
class MoreauStep {
 public:
  MoreauStep(const Model& model, const ContactRules& rules, const ContactSearch& search, const ImpactLaw& law,
             const TimeStepping& scheme, Journal& journal, int threads = 0);

  /// Where a number leaves the range of floating point, so does the state.
  State after(const State& state, double h);

  /// Without overlaps deeper than this, of the smaller body's size.
  Parted parted(const State& state, double slop);

  /// What the steps so far have left to the next one, and the same taken from an earlier run.
  RunMemory memory() const;
  void recall(const RunMemory& memory);

  /// What acted in the last step: impulses over its length, if the journal wants forces. Modes of the contacts, too.
  const std::vector<ContactForce>& contacts() const { return notes_.contacts; }
  const std::vector<JointForce>& joints() const { return joint_forces_; }

 private:
  /// The middle of a step, and what the smooth forces add to its velocities.
  struct Moment {
    const State& state;
    const State& added;
    const BodyFrames& frames;
    const BodyFrames& added_frames;
  };
  const std::vector<ContactPair>& near_pairs(const State& middle, const BodyFrames& frames, double h);
  double gap_rate(const BodyFrames& frames, const ContactPair& pair, double h) const;
  void act(const Moment& moment, const Island& island, const FreeMotion& free, double h, Vector& u);
  std::optional<ImpactOutcome> solved(const Moment& moment, const Island& island, const FreeMotion& free, double h,
                                      IslandProblem& all);
  void finish(const State& middle, const Island& island, const FreeMotion& free, double h, const IslandProblem& all,
              const ImpactOutcome& outcome, Vector& u);
  std::vector<ContactPair> act_in_crowds(const Moment& moment, const std::vector<ContactPair>& pairs,
                                         const FreeMotion& free, double h, Vector& u);
  bool carried(const Island& island) const;
  bool closes(const IslandProblem& island, const Vector& u_free) const;
  double slow(const Moment& middle, const ContactPair& pair) const;
  std::vector<char> choose(ImpactProblem& problem, const Vector& slow) const;
  void press(const Island& island, const Vector& e, const std::vector<char>& part, ImpactProblem& problem) const;
  Answer answered(const State& middle, const Island& island, const ImpactProblem& problem,
                  const std::vector<char>& part);
  Answer restrained(const State& middle, const Island& island, const ImpactProblem& problem,
                    const std::vector<char>& part);
  Vector guess(const Island& island, const ImpactProblem& problem) const;
  std::vector<char> note(const Island& island, const ImpactOutcome& outcome);
  void tell(const State& middle, const Island& island, const IslandProblem& problem, const ImpactOutcome& outcome,
            double h);
  void tell_joints(const State& middle, const Vector& u_plus, const FreeMotion& free, double h);
  void hold_together(const State& middle, const std::vector<ContactPair>& pairs, double h, State& end);

  const Model& model_;
  const ContactRules& rules_;
  const ContactSearch& search_;
  ImpactLaw law_;
  bool returns_impulses_;    // e of the law is a ratio of impulses
  std::optional<double> e_;  // of a law that has one of its own for all contacts
  const TimeStepping& scheme_;
  Journal& journal_;
  Index each_;  // velocities of a body
  Crew crew_;
  NearContacts near_;
  CarriedImpulses acting_;  // in the step before
  StandingIslands standing_;
  std::size_t in_step_ = 0;  // contacts
  bool jumped_ = false;      // in this step contacts act that did not in the step before
  double fastest_ = 0;       // [m/s] bound of the bodies' speeds so far
  JointBalance joints_;
  std::optional<CrowdStep> crowds_;  // once there are many contacts
  CrowdOverlaps overlaps_;
  StepNotes notes_;                             // of the step
  std::vector<double> gap_rates_;               // room of it, (pairs)
  std::vector<const Vector3*> carried_before_;  // the same
  std::vector<JointForce> joint_forces_;
  Vector pressed_;  // (velocities) W Lambda of the step
};

}  // namespace carom::simulate

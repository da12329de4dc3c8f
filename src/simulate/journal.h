#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/model/impact_problem.h"
#include "carom/simulate/accumulations.h"
#include "carom/simulate/archived_values.h"
#include "carom/simulate/observer.h"
#include "carom/simulate/pair_losses.h"
#include "carom/simulate/scheme.h"
#include "carom/simulate/smooth_motion.h"
#include "carom/simulate/summary.h"

namespace carom::simulate {

/// What the contacts of an island did in a time step, in numbers; certificate but for its energetic part.
struct StepSums {
  double before = 0, after = 0;           // [J] kinetic
  double smooth_work = 0, wall_work = 0;  // [J] of the smooth impulse p and of moving walls
  double dissipated = 0;                  // [J] by all contacts
  double allowed = 0;                     // [J] what a step may return: max(p'M^-1 p, p'(u_free - u+)) / 2
  double exchanged = 0;                   // [J] what passes through the contacts, and twice that
  Certificate certificate;
};

/// Keeps the ledger of a run and tells its observer. What it has come to is in `summary`.
class Journal {
 public:
  /// A run that goes on has the ledger and the counts of what it was.
  Journal(const Model& model, const State& start, const RunOptions& options, Observer& observer);

  RunSummary summary;

  /// An impact of one island: `before` has the velocities before it. `law`: the contacts' own, if they have one.
  void impact(const State& before, const Island& island, const IslandProblem& problem, const Answer& answer,
              bool at_rest, const ImpactLaw* law = nullptr);

  /// The same of balls that fly on from it, whose impacts somebody else remembers and tells by `recall` where they end.
  void bounce(const State& before, const Island& island, const IslandProblem& problem, const Answer& answer);
  void expect(const PartPair& parts) const { losses_.expect(parts.body_a, parts.body_b); }  // soon, such a bounce
  void recall(const std::vector<int>& bodies, const std::vector<double>& times) { sequences_.recall(bodies, times); }

  /// From now on the states before impacts are up to date only in the bodies involved: who needs the others gets them
  /// by `completed`. Null: all are up to date.
  void completes(std::function<State(const State&)> completed) { completed_ = std::move(completed); }

  /// What the contacts of one island did in a time step, in the world's frame; `u_free` are its velocities at the end
  /// if they had done nothing. `is_new` (pairs): acts, but did not in the step before; one such makes it an impact.
  void step(const State& before, const Island& island, const ImpactProblem& problem, ImpactOutcome outcome,
            const Vector& u_free, const std::vector<char>& is_new);

  /// The same in numbers; true: it was an impact, `has_new`, or is inconsistent, and is to be told if that is wanted.
  bool step(double t, StepSums& sums, bool has_new);
  bool wants_impacts() const { return observer_.wants_impacts(); }
  bool wants_problems() const { return observer_.wants_problems(); }
  void tell(const ImpactEvent& event) { observer_.impact(model_, event); }
  void lost(const PartPair& parts, bool is_new, double dissipated);

  /// The contacts that are closed from now on, and how: what has changed since the last time are events.
  void contacts_now(const State& state, const Mode& mode);
  /// The same where contacts are told one by one.
  void happened(double t, RunEvent::Kind kind, const PartPair& parts);

  /// The forces at the recorded time that `record` was told last.
  bool wants_forces() const { return observer_.wants_forces(); }
  void forces(double t, const std::vector<ContactForce>& contacts, const std::vector<JointForce>& joints);

  /// A contact with forces has opened; where the run ends, those that last.
  void closure(const ContactClosure& closure);
  void lasting(std::vector<ContactClosure> closures);

  /// Something was answered below the first rung. Counted; the worst is kept, with its problem.
  void approximate(double t, Rung rung, double residual, const std::string& where,
                   const ImpactProblem* problem = nullptr, const ImpactLaw* law = nullptr);

  /// Kinetic and potential energy now; then the state is told.
  void record(const State& state);
  void energies(const State& state);

  void progress(double t) { observer_.progress(t, summary.impacts); }

  /// Whether the run is still to go on from a state. If it was cancelled or reached a condition to stop, the summary
  /// says so.
  bool goes_on(const RunOptions& options, const State& state);
  void stops_at(const RunOptions& options, const State& state);  // the conditions alone

  /// Before its duration, at a state that can be told: the last one, wherever it lies between recorded times.
  bool ends_early(const State& end) const;
  RunSummary finished(const State& end);

  /// All that it knows, for a checkpoint.
  void archived(Archive& archive);

  /// The bodies that touch, for messages: "box - floor, box - lid".
  std::string names(const std::vector<ContactPair>& pairs, std::string_view between = " - ") const;
  std::string name(const PartPair& parts) const;  // "box-floor"

 private:
  void tell(const State& before, const Island& island, const IslandProblem& problem, const Answer& answer, bool at_rest,
            const ImpactLaw* law);
  void account(double t, const Island& island, const IslandProblem& problem, const Answer& answer,
               const ImpactLaw* law);
  template <class Counted>
  void lost(const Island& island, const ImpactOutcome& outcome, Counted&& counted);
  void note_accumulation(double t, const Island& island, const ImpactProblem& problem, bool at_rest);
  void event(double t, RunEvent::Kind kind, std::string what, std::string detail);
  void tell_foreseen(double until);

  const Model& model_;
  Observer& observer_;
  PairLosses losses_;
  Accumulations sequences_;
  ImpactEvent told_;  // kept for its room
  std::function<State(const State&)> completed_;
  std::optional<double> slow_since_;  // [s] no free body has been fast since then
  Mode closed_;                       // now
  bool knows_closed_ = true;          // else the first look at what is closed is no event
  std::vector<RunEvent> foreseen_;    // that will come
};

}  // namespace carom::simulate

#pragma once

#include <map>
#include <utility>
#include <vector>

#include "model/impact_problem.h"
#include "simulate/run.h"

namespace carom {

/// Solves the impacts of a run and keeps their books.
class Impacts {
 public:
  Impacts(const Model& model, const ContactRules& rules, const ImpactLaw& law, double rest, Observer& observer,
          RunSummary& summary);

  /// The impact of one island: changes the velocities of the state. False if there is no answer; the summary says why.
  bool solve(State& state, const Island& island);

  /// Whether the island approaches fast enough for an impact that is not taken as plastic.
  bool would_bounce(const State& state, const Island& island) const { return approach(state, island) > slow(); }

  /// The fastest approach of its contacts [m/s], 0 if there is none.
  double approach(const State& state, const Island& island) const;

  /// A time step: the same with an impulse of the smooth forces, (velocities). A contact with `room` [m/s] is not
  /// closed yet: it may go on closing at that rate and has no restitution. Told to the observer where a contact acts
  /// that did not in the step before.
  void solve_step(State& state, const Island& island, const Vector& smooth_impulse, const Vector& room,
                  double accuracy);

  double slow() const { return rest_ * fastest_; }            // [m/s] impacts below are plastic
  double still() const { return kStill * rest_ * fastest_; }  // [m/s] below it a contact does not move at all
  void finish() const;                                        // writes the losses of the pairs into the summary

 private:
  static constexpr double kStill = 1e-2;

  void account(const State& state, const Island& island, const IslandProblem& problem, const ImpactOutcome& outcome);
  bool apply(State& state, const IslandProblem& problem, const ImpactOutcome& outcome);
  Vector guess(const Island& island, const ImpactProblem& problem) const;
  bool remember(const Island& island, const ImpactOutcome& outcome);
  void note_accumulation(double t, const Island& island, bool at_rest);

  const Model& model_;
  const ContactRules& rules_;
  const ImpactLaw& law_;
  double rest_;
  double fastest_ = 0;  // [m/s] approach so far
  Observer& observer_;
  RunSummary& summary_;
  std::map<std::pair<int, int>, PairLoss> losses_;
  std::map<std::pair<PartPair, int>, Vector3> acting_;     // contacts of the last time step, with their impulses
  std::map<std::vector<int>, std::vector<double>> times_;  // of the last impacts of the same bodies
};

}  // namespace carom

#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/simulate/answer.h"
#include "carom/simulate/law_sets.h"
#include "carom/simulate/observer.h"
#include "carom/simulate/stop.h"

namespace carom::simulate {

/// Energy lost between two bodies over the run; or, with body_a = -1, between all pairs that are not told apart.
struct PairLoss {
  int body_a = -1, body_b = -1;
  int joint = -1;  // whose stops it is; -1: it is of shapes
  long impacts = 0;
  double dissipated = 0;  // [J]

  bool is_of_others() const { return body_a < 0 && body_b < 0; }
};

/// How a run ended.
enum class RunStatus {
  solved,       // at its duration, everything to the accuracy asked for
  approximate,  // at its duration; some steps or events were answered less accurately
  stopped,      // at a condition or limit that the user gave
  not_finished  // interrupted, or the state is no number any more
};
std::string_view to_string(RunStatus status);

/// What was answered below the first rung.
struct Approximations {
  long steps = 0;                 // steps or events
  std::array<long, 5> by_rung{};  // of them, by Rung
  double worst_residual = 0;      // [-]
  double worst_time = 0;          // [s]
  Rung worst_rung = Rung::asked;
  std::string worst_where;  // the contacts
  std::optional<ImpactProblem> worst_problem;
  std::optional<ImpactLaw> worst_law;  // that of its contacts
};

/// What a contact carried in the last step: its impulse on body b, in the world.
struct CarriedImpulse {
  PartPair parts;
  geometry::Feature feature;
  Vector3 impulse = Vector3::Zero();  // [N s]
};

/// What a run knows at its end beside its state. With it another run goes on as this one would have.
struct RunMemory {
  double speed = 0;                          // [m/s] the fastest so far, as the scheme counts it
  double approach = 0;                       // [m/s] the fastest approach of event-driven impacts
  std::vector<CarriedImpulse> carried = {};  // of a time step, to start the next from
  Vector joint_balance = {};                 // (joint rows) see joint_balance.h; empty: not known
  double joint_energy = 0;                   // [J] the same
  double stored = 0;                         // [J] in indented contacts
  std::vector<char> known = {};              // (bodies) were placed by an earlier run; empty: none
};

/// What a run came to.
struct RunSummary {
  RunStatus status = RunStatus::solved;
  std::string message;  // what went wrong, or what is worth knowing
  std::string stop;     // the condition that ended the run, by its name; empty: none did
  double t_end = 0;
  State end;
  long impacts = 0, resting_impacts = 0, steps = 0, evaluations = 0;
  Ledger ledger;
  std::vector<PairLoss> losses;  // pairs that touched, in the order of the bodies; see pair_losses.h
  Certificate::Residuals worst;  // relative, over all impacts
  double worst_time = 0;         // of the worst relative residual
  Approximations approximations;
  long impacts_without_collision = 0;    // Painleve's paradox: no forces exist and velocities jump
  long ambiguous_forces = 0;             // the same where several exist: those of least norm were taken
  long solved_problems = 0;              // impacts, or time steps with contacts
  long inconsistent = 0;                 // of these, whose certificate is not consistent
  double gained_by_steps = 0;            // [J] time steps: by contacts that opened slowly and were pressed back within
                                         // the step; vanishes with the step and is no fault
  double peak_force = 0, peak_time = 0;  // [N], [s] the largest contact force, where forces are followed
  PartPair peak_parts;                   // its contact
  double deepest_penetration = 0;        // [m]
  double largest_joint_error = 0;        // [m] or [rad]
  std::vector<double> accumulation_times;  // [s] where infinitely many impacts came to an end
  double seconds = 0;                      // of computing
  RunMemory memory;                        // for a run that goes on from here
};

/// A run that was not finished and goes on: when it began, and what it had come to.
struct RunSoFar {
  double start = 0;  // [s]
  RunSummary summary;
};

struct RunOptions {
  double duration = 1;                           // [s] from the beginning on
  double interval = 0.01;                        // [s] between recorded states
  const std::atomic<bool>* cancelled = nullptr;  // looked at between steps: once true, the run is not finished
  std::optional<std::chrono::steady_clock::time_point> deadline = {};  // the same, once it has passed

  int threads = 0;  // that steps of many contacts may use; 0: all there are. Results do not depend on it

  StopRules stop = {};
  LawSets sets = {};  // contacts whose law is not the run's; of event-driven runs

  RunMemory memory = {};                          // of the run that led to the start
  std::optional<RunSoFar> so_far = std::nullopt;  // the start is not the beginning
  std::string inner = {};                         // of a checkpoint: the run goes on from there

  double begin(const State& start) const { return so_far ? so_far->start : start.t; }  // [s]
  double left(const State& start) const { return begin(start) + duration - start.t; }  // [s]
  /// The first of the recorded times begin + i interval that comes after t.
  long next_record(const State& start, double t) const;
  double record_time(double begin, long i) const;  // [s] of the i-th of them, at most the end of the run
  /// The first that comes after a recorded time `told`, to rounding: where a run goes on from a checkpoint.
  long record_after(double begin, double told) const;

  bool is_late() const { return deadline && std::chrono::steady_clock::now() >= *deadline; }
  bool is_cancelled() const { return (cancelled != nullptr && *cancelled) || is_late(); }
};

}  // namespace carom::simulate

namespace carom {
using simulate::Approximations;
using simulate::CarriedImpulse;
using simulate::PairLoss;
using simulate::RunMemory;
using simulate::RunOptions;
using simulate::RunSoFar;
using simulate::RunStatus;
using simulate::RunSummary;
}  // namespace carom

#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "laws/all.h"
#include "model/touch.h"
#include "simulate/answer.h"
#include "simulate/scheme.h"

namespace carom {

/// One impact of a run.
struct ImpactEvent {
  double t = 0;
  const State* before = nullptr;
  const ImpactProblem* problem = nullptr;  // of the bodies involved only
  const ImpactOutcome* outcome = nullptr;
  std::vector<Touch> touches;  // (m) one a contact of the problem
  std::vector<int> bodies;     // free bodies involved, ascending
  bool at_rest = false;        // too slow to bounce: taken as plastic
};

/// kinetic + potential + dissipated = kinetic and potential at the start + work + correction
struct Books {
  double kinetic = 0, potential = 0;  // [J] gravity and springs
  double dissipated_impacts = 0;      // [J] by impacts
  double dissipated_dampers = 0;      // [J] by dampers
  double dissipated_slip = 0;         // [J] by friction between impacts
  double work = 0;                    // [J] of loads, of prescribed motion and of moving walls
  double start = 0;                   // [J] kinetic + potential at the start
  double correction = 0;              // [J] potential gained where the scheme moved overlapping bodies apart

  double dissipated() const { return dissipated_impacts + dissipated_dampers + dissipated_slip; }
  double error() const { return kinetic + potential + dissipated() - start - work - correction; }
};

/// Who watches a run. States come at the recorded times, impacts when they happen.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void state(const Model& /*model*/, const State& /*state*/, const Books& /*books*/) {}
  virtual void impact(const Model& /*model*/, const ImpactEvent& /*event*/) {}
  virtual void progress(double /*t*/, long /*impacts*/) {}
};

/// Energy lost between two bodies over the run.
struct PairLoss {
  int body_a = -1, body_b = -1;
  long impacts = 0;
  double dissipated = 0;  // [J]
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
};

/// What a run came to.
struct RunSummary {
  RunStatus status = RunStatus::solved;
  std::string message;  // what went wrong, or what is worth knowing
  double t_end = 0;
  State end;
  long impacts = 0, resting_impacts = 0, steps = 0, evaluations = 0;
  Books books;
  std::vector<PairLoss> losses;  // pairs that touched, in the order of the bodies
  Certificate::Residuals worst;  // relative, over all impacts
  double worst_time = 0;         // of the worst relative residual
  Approximations approximations;
  long impacts_without_collision = 0;  // Painleve's paradox: no forces exist and velocities jump
  long ambiguous_forces = 0;           // the same where several exist: those of least norm were taken
  long solved_problems = 0;            // impacts, or time steps with contacts
  long inconsistent = 0;               // of these, whose certificate is not consistent
  double gained_by_steps = 0;          // [J] time steps: by contacts that opened slowly and were pressed back within
                                       // the step; vanishes with the step and is no fault
  double deepest_penetration = 0;      // [m]
  double largest_joint_error = 0;      // [m] or [rad]
  std::vector<double> accumulation_times;  // [s] where infinitely many impacts came to an end
  double seconds = 0;                      // of computing
};

struct RunOptions {
  double duration = 1;                           // [s]
  double interval = 0.01;                        // [s] between recorded states
  const std::atomic<bool>* cancelled = nullptr;  // looked at between steps: once true, the run is not finished

  bool is_cancelled() const { return cancelled != nullptr && *cancelled; }
};

/// Throws InputError if the law makes no sense with the scheme or cannot treat the contacts of the model, before
/// anything moves.
void require_scheme_and_law(const Model& model, const Scheme& scheme, const ImpactLaw& law);

/// Throws InputError unless the parameters of the scheme make sense, bodies do not overlap and joints hold at the
/// start, and floating point can carry the numbers.
void require_start(const Model& model, const State& start, const Scheme& scheme, const RunOptions& options);

/// Both.
void require_ready(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
                   const RunOptions& options);

/// Moves the model from `start` for options.duration and tells the observer. Throws InputError as require_ready does.
RunSummary run(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
               const RunOptions& options, Observer& observer);

/// The same of what require_ready has let through.
RunSummary run_ready(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
                     const RunOptions& options, Observer& observer);

}  // namespace carom

#include "carom/simulate/time_stepping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "carom/base/error.h"
#include "carom/simulate/magnitudes.h"
#include "carom/simulate/moreau_step.h"

namespace carom::simulate {
namespace {

constexpr double kWholeSteps = 1e-9;  // of a step: a remainder of the duration that is none

/// Steps of one length that lead from a time to the end of the run; some of them may be done.
struct Steps {
  double begin = 0, h = 0;  // [s]
  long done = 0, last = 0;
};

/// Those of the whole run; where an earlier part of it ended between two of them, those of the rest.
Steps steps_of(const TimeStepping& scheme, const RunOptions& options, const State& start) {
  const auto from = [&](double begin, double duration) {
    const long steps = std::max(1L, static_cast<long>(std::ceil(duration / scheme.step - kWholeSteps)));
    return Steps{begin, duration / static_cast<double>(steps), 0, steps};
  };
  Steps whole = from(options.begin(start), options.duration);
  whole.done = std::lround((start.t - whole.begin) / whole.h);
  const double off = whole.begin + static_cast<double>(whole.done) * whole.h - start.t;
  return std::abs(off) <= kWholeSteps * whole.h ? whole : from(start.t, options.left(start));
}

/// The state after a step; nothing if it is no number, and why.
std::optional<State> next_state(const Model& model, MoreauStep& step, const State& state, double h,
                                std::string& message) {
  std::string reason;
  try {
    State next = step.after(state, h);
    reason = body_out_of_range(model, next);
    if (reason.empty()) return next;
    reason = fmt::format("the motion of {} is no longer a number", reason);
  } catch (const InputError& error) {
    reason = error.what();
  }
  message = fmt::format("t = {:.9g} s: {}", state.t, reason);
  return std::nullopt;
}

/// Before the first step there are none.
std::vector<JointForce> unknown_joint_forces(const Model& model) {
  std::vector<JointForce> forces;
  const Vector3 unknown = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
  for (int joint = 0; joint < static_cast<int>(model.description().joints.size()); ++joint)
    forces.push_back({joint, unknown, unknown, Claim::unknown()});
  return forces;
}

}  // namespace

RunSummary run_time_stepping(const Model& model, const State& start, const TimeStepping& scheme, const ImpactLaw& law,
                             const RunOptions& options, Observer& observer) {
  const ContactRules rules(model);
  const ContactSearch search(model, rules);
  Journal journal(model, start, options, observer);
  MoreauStep step(model, rules, search, law, scheme, journal);
  step.recall(options.memory);
  const Steps grid = steps_of(scheme, options, start);
  const double h = grid.h;
  State state = start;
  if (!options.so_far) {
    journal.record(state);
    if (journal.wants_forces()) journal.forces(state.t, {}, unknown_joint_forces(model));
  }
  long recorded = options.next_record(start, start.t + 0.5 * h);
  double told_at = state.t;
  for (long i = grid.done + 1; i <= grid.last && journal.goes_on(options, state); ++i) {
    std::optional<State> next = next_state(model, step, state, h, journal.summary.message);
    if (!next) {
      journal.summary.status = RunStatus::not_finished;
      break;
    }
    state = *std::move(next);
    state.t = grid.begin + static_cast<double>(i) * h;
    ++journal.summary.steps;
    if (state.t >= options.begin(start) + static_cast<double>(recorded) * options.interval - 0.5 * h ||
        i == grid.last) {
      journal.record(state);
      if (journal.wants_forces()) journal.forces(state.t, step.contacts(), step.joints());
      ++recorded;
      told_at = state.t;
    }
    journal.progress(state.t);
  }
  journal.stops_at(options, state);
  if (journal.summary.status == RunStatus::stopped && told_at < state.t) {
    journal.record(state);
    if (journal.wants_forces()) journal.forces(state.t, step.contacts(), step.joints());
  }
  journal.energies(state);
  journal.summary.memory = step.memory();
  return journal.finished(state);
}

}  // namespace carom::simulate

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
  Journal journal(model, start, observer);
  MoreauStep step(model, rules, search, law, scheme, journal);
  const long steps = std::max(1L, static_cast<long>(std::ceil(options.duration / scheme.step - kWholeSteps)));
  const double h = options.duration / static_cast<double>(steps);
  State state = start;
  journal.record(state);
  if (journal.wants_forces()) journal.forces(state.t, {}, unknown_joint_forces(model));
  long recorded = 1;
  double told_at = state.t;
  for (long i = 1; i <= steps && journal.goes_on(options, state); ++i) {
    std::optional<State> next = next_state(model, step, state, h, journal.summary.message);
    if (!next) {
      journal.summary.status = RunStatus::not_finished;
      break;
    }
    state = *std::move(next);
    state.t = start.t + static_cast<double>(i) * h;
    ++journal.summary.steps;
    if (state.t >= start.t + static_cast<double>(recorded) * options.interval - 0.5 * h || i == steps) {
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
  return journal.finished(state);
}

}  // namespace carom::simulate

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
#include "carom/simulate/step_grid.h"

namespace carom::simulate {
namespace {

/// Of the whole run; where an earlier part of it ended between two of its steps, of the rest.
StepGrid grid_of(const TimeStepping& scheme, const RunOptions& options, const State& start) {
  StepGrid whole = step_grid(options.begin(start), options.duration, scheme.step);
  whole.done = std::lround((start.t - whole.begin) / whole.h);
  const bool on_grid = std::abs(whole.at(whole.done) - start.t) <= StepGrid::kWhole * whole.h;
  return on_grid ? whole : step_grid(start.t, options.left(start), scheme.step);
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
  MoreauStep step(model, rules, search, law, scheme, journal, options.threads);
  step.recall(options.memory);
  State state = start;
  double told_at = state.t, interval = options.interval;
  long recorded = 0;
  const auto archived = [&](Archive archive) {
    RunMemory memory = step.memory();
    archive& state& told_at& interval& recorded& journal& memory;
    if (archive.reads()) step.recall(memory);
    return archive.bytes();
  };
  const bool goes_on = !options.inner.empty();
  if (goes_on) archived(Archive(options.inner));
  const StepGrid grid = grid_of(scheme, options, state);
  const double h = grid.h;
  if (!goes_on && !options.so_far) {
    journal.record(state);
    if (journal.wants_forces()) journal.forces(state.t, {}, unknown_joint_forces(model));
  }
  const double begin = options.begin(start);
  if (!goes_on)
    recorded = options.next_record(start, start.t + 0.5 * h);
  else if (std::exchange(interval, options.interval) != options.interval)
    recorded = options.record_after(begin, state.t + 0.5 * h);
  bool told_end = false;
  for (long i = grid.done + 1; i <= grid.last && journal.goes_on(options, state); ++i) {
    if (i == grid.last || observer.wants_checkpoint()) {
      if (observer.keeps_checkpoints()) observer.checkpoint(state.t, archived({}));
      told_end = i == grid.last;
    }
    std::optional<State> next = next_state(model, step, state, grid.length(i), journal.summary.message);
    if (!next) {
      journal.summary.status = RunStatus::not_finished;
      break;
    }
    state = *std::move(next);
    state.t = grid.at(i);
    ++journal.summary.steps;
    if (state.t >= begin + static_cast<double>(recorded) * options.interval - 0.5 * h || i == grid.last) {
      journal.record(state);
      if (journal.wants_forces()) journal.forces(state.t, step.contacts(), step.joints());
      ++recorded;
      told_at = state.t;
    }
    journal.progress(state.t);
  }
  if (!told_end && observer.keeps_checkpoints()) observer.checkpoint(state.t, archived({}));
  journal.stops_at(options, state);
  if (journal.ends_early(state) && told_at < state.t) {
    journal.record(state);
    if (journal.wants_forces()) journal.forces(state.t, step.contacts(), step.joints());
  }
  journal.energies(state);
  journal.summary.memory = step.memory();
  return journal.finished(state);
}

}  // namespace carom::simulate

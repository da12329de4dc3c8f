#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/model/state_value.h"

namespace carom::simulate {

class TrajectoryStep;

/// A run ends where left > right for the first time.
struct StopCondition {
  std::string name;  // "overturned"
  std::string text;  // "block.tilt > 1.2"
  StateFormula left, right;

  double excess(const Model& model, const State& state) const {
    return value_at(left, model, state) - value_at(right, model, state);
  }
};

/// What ends a run before its duration.
struct StopRules {
  std::vector<StopCondition> conditions;
  std::optional<double> impacts;  // so many
  std::optional<double> at_rest;  // [m/s] when no point of a free body has been faster for a hundredth of the duration

  bool empty() const { return conditions.empty() && !impacts && !at_rest; }
};

/// Where in the first `part` of a step a condition comes true, as a fraction of the step; found if it holds at one of a
/// few samples.
std::optional<double> first_stop(const Model& model, const StopRules& rules, const TrajectoryStep& step, double part);

}  // namespace carom::simulate

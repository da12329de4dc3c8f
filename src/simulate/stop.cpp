#include "carom/simulate/stop.h"

#include <algorithm>

#include "carom/simulate/trajectory_step.h"

namespace carom::simulate {
namespace {

constexpr int kStopSamples = 8;       // of a step
constexpr double kStopPlace = 1e-12;  // of a step

}  // namespace

std::optional<double> first_stop(const Model& model, const StopRules& rules, const TrajectoryStep& step, double part) {
  if (rules.conditions.empty()) return std::nullopt;
  const auto holds = [&](double theta) {
    const State state = step.at(theta);
    return std::any_of(rules.conditions.begin(), rules.conditions.end(),
                       [&](const StopCondition& one) { return one.excess(model, state) > 0; });
  };
  for (int i = 1; i <= kStopSamples; ++i) {
    double low = part * (i - 1) / kStopSamples, high = part * i / kStopSamples;
    if (!holds(high)) continue;
    while (high - low > kStopPlace) {
      const double middle = 0.5 * (low + high);
      (holds(middle) ? high : low) = middle;
    }
    return high;
  }
  return std::nullopt;
}

}  // namespace carom::simulate

#include "carom/simulate/step_limits.h"

#include <algorithm>
#include <limits>

namespace carom::simulate {
namespace {

constexpr double kTravel = 4;             // sizes that the fastest of many bodies may move in a step
constexpr double kMany = 64;              // bodies, from which on it may move less
constexpr double kShareOfPeriod = 0.125;  // of a periodic box: how far the fastest body may move in a step
constexpr double kLookForRest = 5e-3;     // of the duration: longest step where a run ends at rest

}  // namespace

double longest_step(const Model& model, const RunOptions& options, const Scales& scales) {
  double most = std::numeric_limits<double>::infinity();
  for (const double period : model.description().periodic)
    if (period > 0 && scales.speed > 0) most = std::min(most, kShareOfPeriod * period / scales.speed);
  if (options.stop.at_rest) return std::min(most, kLookForRest * options.duration);
  const double many = static_cast<double>(model.bodies().size()) / kMany;
  return many < 1 ? most : std::min(most, kTravel / many * scales.time());
}

}  // namespace carom::simulate

#include "carom/simulate/summary.h"

#include <cmath>

namespace carom::simulate {
namespace {

constexpr double kSameRecord = 1e-9;  // of the interval: a time that is recorded already

}  // namespace

std::string_view to_string(RunStatus status) {
  constexpr std::array<std::string_view, 4> words = {"solved", "approximate", "stopped", "not-finished"};
  return words[static_cast<int>(status)];
}

long RunOptions::next_record(const State& start, double t) const {
  return static_cast<long>(std::floor((t - begin(start)) / interval + kSameRecord)) + 1;
}

}  // namespace carom::simulate

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

double RunOptions::record_time(double begin, long i) const {
  const double t = begin + static_cast<double>(i) * interval, end = begin + duration;
  return t > end - kSameRecord * interval ? end : t;
}

long RunOptions::record_after(double begin, double told) const {
  if (!(told >= begin)) return 0;
  const auto at = [&](long i) { return begin + static_cast<double>(i) * interval; };
  long i = static_cast<long>((told - begin) / interval);
  while (i > 0 && at(i) > told) --i;
  while (at(i) <= told) ++i;
  return i;
}

}  // namespace carom::simulate

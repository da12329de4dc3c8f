#pragma once

#include <algorithm>
#include <cmath>

namespace carom::simulate {

/// Steps of one length from a time to the end of a run, the last as long as is left. So they do not depend on where the
/// run ends.
struct StepGrid {
  static constexpr double kWhole = 1e-9;  // of a step: a remainder of the duration that is none

  double begin = 0, end = 0, h = 0;  // [s]
  long done = 0, last = 0;           // steps before this run, and of all

  /// [s] after i steps. A last one that is whole ends as it does in a longer run.
  double at(long i) const {
    const double t = begin + static_cast<double>(i) * h;
    return t > end && t - end > kWhole * h ? end : t;
  }
  double length(long i) const { return i == last ? last_length() : h; }

 private:
  double last_length() const {
    const double left = end - (begin + static_cast<double>(last - 1) * h);
    return std::abs(left - h) <= kWhole * h ? h : left;
  }
};

inline StepGrid step_grid(double begin, double duration, double step) {
  const long steps = std::max(1L, static_cast<long>(std::ceil(duration / step - StepGrid::kWhole)));
  return {begin, begin + duration, step, 0, steps};
}

}  // namespace carom::simulate

#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

namespace carom::bench {

/// Processor time of this process so far [s], all of its threads: what else the machine does is not in it.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Processor time of a call [s], ours and a rival's alike.
template <class Call>
double seconds_of(Call&& call) {
  const double start = processor_seconds();
  call();
  return processor_seconds() - start;
}

/// `measure` runs something once and returns its processor time [s]. It is repeated until `budget` seconds are spent;
/// the result is the time that a tenth of the runs stay below: caches that others empty disturb it less than a median.
template <class Measure>
double time_that_a_tenth_stays_below(double budget, Measure&& measure) {
  std::vector<double> times;
  double spent = 0;
  do {
    times.push_back(measure());
    spent += times.back();
  } while (spent < budget);
  const auto tenth = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 10);
  std::nth_element(times.begin(), tenth, times.end());
  return *tenth;
}

}  // namespace carom::bench

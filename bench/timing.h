#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace carom::bench {

template <class Call>
double seconds_of(Call&& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// `measure` runs something once and returns its time [s]. It is repeated until `budget` seconds are spent; the result
/// is the time that a tenth of the runs stay below: a median would measure whatever else the machine does.
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

#include "carom/simulate/accumulations.h"

#include <algorithm>
#include <cmath>

namespace carom::simulate {
namespace {

constexpr double kRegular = 0.02;           // two ratios of intervals that differ by less belong to one sequence
constexpr double kDistinguishable = 1e-10;  // of the time: shorter intervals are rounding
constexpr std::size_t kGroups = 64, kGroupsABody = 8;  // that are remembered

/// Where impacts at t1 < t2 < ... come to an end if their intervals shrink by a constant ratio r: t3 + (t3 - t2) r / (1
/// - r), from the last ones that rounding leaves distinguishable. The last time if they do not.
double end_of_sequence(const std::vector<double>& times) {
  for (std::size_t last = times.size(); last-- > 3;) {
    const double c = times[last] - times[last - 1], b = times[last - 1] - times[last - 2],
                 a = times[last - 2] - times[last - 3];
    if (!(c > kDistinguishable * std::abs(times[last])) || !(b > c) || !(a > b)) continue;
    const double ratio = c / b;
    if (std::abs(ratio - b / a) > kRegular * (1 - ratio)) continue;
    return std::max(times[last] + c * ratio / (1 - ratio), times.back());
  }
  return times.back();
}

}  // namespace

Accumulations::Accumulations(std::size_t bodies) : most_(kGroups + kGroupsABody * bodies) {}

std::optional<double> Accumulations::note(double t, const std::vector<int>& bodies, bool at_rest) {
  if (sequences_.size() > most_) forget_old();
  Sequence& sequence = sequences_[bodies];
  std::vector<double>& times = sequence.times;
  times.push_back(t);
  sequence.last = t;
  if (times.size() > kRemembered) times.erase(times.begin());
  std::optional<double> end;
  if (at_rest && !sequence.resting && times.size() >= 4) end = end_of_sequence(times);
  if (at_rest) times.clear();
  sequence.resting = at_rest;
  return end;
}

void Accumulations::recall(const std::vector<int>& bodies, const std::vector<double>& times) {
  if (sequences_.size() > most_) forget_old();
  Sequence& sequence = sequences_[bodies];
  for (const double t : times) {
    if (t <= sequence.last && (!sequence.times.empty() || sequence.resting)) continue;
    sequence.times.push_back(t);
    sequence.last = t;
    sequence.resting = false;
  }
  if (sequence.times.size() > kRemembered)
    sequence.times.erase(sequence.times.begin(), sequence.times.end() - kRemembered);
}

/// The half whose last impact is longest ago.
void Accumulations::forget_old() {
  std::vector<double> times;
  times.reserve(sequences_.size());
  for (const auto& [bodies, sequence] : sequences_) times.push_back(sequence.last);
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  std::erase_if(sequences_, [&](const auto& one) { return one.second.last < *middle; });
  if (sequences_.size() > most_) sequences_.clear();  // all at one time
}

}  // namespace carom::simulate

#include "carom/simulate/accumulations.h"

#include <algorithm>

namespace carom::simulate {
namespace {

constexpr std::size_t kGroups = 64, kGroupsABody = 8;  // that are remembered

}  // namespace

Accumulations::Accumulations(std::size_t bodies) : most_(kGroups + kGroupsABody * bodies) {}

std::vector<double> Accumulations::note(double t, const std::vector<int>& bodies, bool at_rest) {
  if (sequences_.size() > most_) forget_old();
  Sequence& sequence = sequences_[bodies];
  std::vector<double>& times = sequence.times;
  times.push_back(t);
  sequence.last = t;
  if (times.size() > kRemembered) times.erase(times.begin());
  std::vector<double> ended;
  if (at_rest && !sequence.resting && times.size() >= 4) ended = times;
  if (at_rest) times.clear();
  sequence.resting = at_rest;
  return ended;
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

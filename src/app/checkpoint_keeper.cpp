#include "carom/app/checkpoint_keeper.h"

#include <algorithm>
#include <utility>

namespace carom::app {
namespace {

constexpr std::size_t kMostKept = 8;
constexpr std::size_t kMostKeptBytes = std::size_t{1} << 24;  // of those that are kept beside the last
constexpr int kShareOfSaving = 200;                           // of the time it takes: how long until it is done again

}  // namespace

bool CheckpointKeeper::wants() const {
  return first_ || Clock::now() >= next_;
}

void CheckpointKeeper::take(double t, const std::string& inner) {
  last_ = {t, inner, sinks_.sizes()};
  if (!wants()) return;
  const Clock::time_point begin = Clock::now();
  kept_.push_back(last_);
  thin();
  sinks_.flush();
  if (!std::exchange(first_, false) && save) save();
  const Clock::time_point end = Clock::now();
  next_ = end + std::max<Clock::duration>(std::chrono::seconds(1), kShareOfSaving * (end - begin));
}

/// Every second goes where they are too many; the first stays.
void CheckpointKeeper::thin() {
  const auto bytes = [&] {
    std::size_t sum = 0;
    for (const simulate::Checkpoint& one : kept_) sum += one.inner.size();
    return sum;
  };
  while (kept_.size() > 1 && (kept_.size() > kMostKept || bytes() > kMostKeptBytes)) {
    std::size_t to = 1;
    for (std::size_t from = 2; from < kept_.size(); from += 2) kept_[to++] = std::move(kept_[from]);
    kept_.resize(to);
  }
}

std::vector<simulate::Checkpoint> CheckpointKeeper::all() const {
  std::vector<simulate::Checkpoint> result = kept_;
  if (!has_own()) return result;
  if (!result.empty() && result.back().inner == last_.inner) result.pop_back();
  result.push_back(last_);
  return result;
}

}  // namespace carom::app

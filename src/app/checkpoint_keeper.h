#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "carom/record/run_sinks.h"
#include "carom/simulate/checkpoint.h"

namespace carom::app {

/// Keeps the checkpoints of a run: the last, and some of those before it. From time to time they are saved, so that a
/// run that is killed can go on; that takes less than a hundredth of its time.
class CheckpointKeeper {
 public:
  /// `sinks`: whose rows belong to the checkpoints. `first`: one is wanted at once. `earlier`: those of the run before.
  CheckpointKeeper(record::RunSinks& sinks, bool first, std::vector<simulate::Checkpoint> earlier)
      : sinks_(sinks), first_(first), kept_(std::move(earlier)) {}

  std::function<void()> save = {};  // writes them, the rows being in their files

  bool wants() const;
  void take(double t, const std::string& inner);

  std::vector<simulate::Checkpoint> all() const;         // ascending
  bool has_own() const { return !last_.inner.empty(); }  // not earlier ones alone

 private:
  using Clock = std::chrono::steady_clock;
  void thin();

  record::RunSinks& sinks_;
  bool first_;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
  simulate::Checkpoint last_ = {};
  std::vector<simulate::Checkpoint> kept_ = {};
};

}  // namespace carom::app

#pragma once

#include <atomic>

namespace carom {

/// Between work that takes long and who waits for it, in another thread. Work that is done step by step looks at it.
struct Watch {
  std::atomic<double> spent{0};        // [-] of the work; 0: nothing is known
  std::atomic<bool> at_most{true};     // of the most work that may be done, of which seldom all is needed
  std::atomic<bool> cancelled{false};  // once true, the work ends with what there is, and says so

  bool is_cancelled() const { return cancelled.load(std::memory_order_relaxed); }
};

/// Tells how much of its work was done; whether it shall go on.
inline bool goes_on(Watch* watch, double spent) {
  if (watch == nullptr) return true;
  watch->spent.store(spent, std::memory_order_relaxed);
  return !watch->is_cancelled();
}

/// The same where that is of the work there is.
inline bool goes_on_to_end(Watch* watch, double done) {
  if (watch != nullptr) watch->at_most.store(false, std::memory_order_relaxed);
  return goes_on(watch, done);
}

}  // namespace carom

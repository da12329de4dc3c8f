#pragma once

#include <atomic>

namespace carom {

/// Between an impact that takes long and who waits for it, in another thread. Laws that follow an impact step by step
/// look at it; the others are quick.
struct Watch {
  std::atomic<double> spent{0};        // [-] of the most work that the law may do, of which it seldom needs all
  std::atomic<bool> cancelled{false};  // once true, the law ends with what there is: its status is iteration_limit

  bool is_cancelled() const { return cancelled.load(std::memory_order_relaxed); }
};

/// Tells how much of its most work a law has done; whether it shall go on.
inline bool goes_on(Watch* watch, double spent) {
  if (watch == nullptr) return true;
  watch->spent.store(spent, std::memory_order_relaxed);
  return !watch->is_cancelled();
}

}  // namespace carom

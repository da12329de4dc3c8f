#include "carom/server/run_slots.h"

namespace carom::server {

RunSlots::Slot RunSlots::take(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (free_ <= 0) {
    if (may_wait_ <= 0) return {};
    --may_wait_;
    freed_.wait_for(lock, patience, [&] { return free_ > 0 || closed_; });
    ++may_wait_;
  }
  if (free_ <= 0 || closed_) return {};
  --free_;
  return Slot(*this);
}

void RunSlots::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  freed_.notify_all();
}

void RunSlots::give_back() {
  {
    const std::lock_guard lock(mutex_);
    ++free_;
  }
  freed_.notify_one();
}

}  // namespace carom::server

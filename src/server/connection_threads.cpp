#ifdef CAROM_WITH_SERVER
#include "carom/server/connection_threads.h"

#include <system_error>
#include <thread>
#include <utility>

namespace carom::server {

void ConnectionThreads::enqueue(std::function<void()> act) {
  {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return running_ < most_; });
    ++running_;
  }
  try {
    std::thread([this, act] {
      act();
      ended();
    }).detach();
  } catch (const std::system_error&) {  // no further thread: this one does it
    act();
    ended();
  }
}

void ConnectionThreads::shutdown() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return running_ == 0; });
}

/// Told under the lock: who waits may destroy this at once.
void ConnectionThreads::ended() {
  const std::lock_guard lock(mutex_);
  --running_;
  ended_.notify_all();
}

}  // namespace carom::server
#endif

#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "carom/base/watch.h"

namespace carom::cli {

/// A line on standard error, where that is a terminal, that tells what is being done, for how long, and of work that is
/// watched how long it will take, or will take at most. It comes after a second and goes with the object. At the
/// deadline work that is watched is told to end.
class Waiting {
 public:
  using Clock = std::chrono::steady_clock;

  Waiting(bool wanted, std::string what, Watch* watch = nullptr, std::optional<Clock::time_point> deadline = {});
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  void next(std::string what);  // other work begins; what is left is of that

 private:
  void wait();
  void tell(int seconds) const;

  const bool shown_;
  Watch* const watch_;
  const std::optional<Clock::time_point> deadline_;
  const Clock::time_point begin_;
  std::string what_;
  Clock::time_point began_;  // what is being done now
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace carom::cli

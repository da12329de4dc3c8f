#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace carom::server {

/// Lets a few of many work at a time; some more wait for a while, the others are turned away at once.
class RunSlots {
 public:
  RunSlots(int places, int waiting) : free_(places), may_wait_(waiting) {}

  /// A place, which goes with the object. Empty: there was none in time.
  class Slot {
   public:
    Slot() = default;
    explicit Slot(RunSlots& from) : from_(&from) {}
    Slot(Slot&& other) noexcept : from_(other.from_) { other.from_ = nullptr; }
    Slot& operator=(Slot&&) = delete;
    ~Slot() {
      if (from_) from_->give_back();
    }
    explicit operator bool() const { return from_ != nullptr; }

   private:
    RunSlots* from_ = nullptr;
  };
  Slot take(std::chrono::milliseconds patience);

  /// Nobody waits any more.
  void close();

 private:
  void give_back();

  std::mutex mutex_;
  std::condition_variable freed_;
  int free_, may_wait_;
  bool closed_ = false;
};

}  // namespace carom::server

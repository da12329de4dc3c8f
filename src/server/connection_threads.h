#pragma once

#include <httplib.h>

#include <condition_variable>
#include <functional>
#include <mutex>

namespace carom::server {

/// A thread for each connection, up to a number of them; further ones wait to be accepted.
class ConnectionThreads : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(int most) : most_(most) {}
  ~ConnectionThreads() override { shutdown(); }

  void enqueue(std::function<void()> act) override;
  void shutdown() override;  // waits for all

 private:
  void ended();

  std::mutex mutex_;
  std::condition_variable ended_;
  int most_, running_ = 0;
};

}  // namespace carom::server

#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace carom::cli {

/// A line on standard error, where that is a terminal, that tells what is being done and for how long, of work that
/// cannot say how far it is. It comes after a second and goes with the object.
class Waiting {
 public:
  Waiting(bool wanted, std::string what);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  void tell(const std::string& what);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace carom::cli

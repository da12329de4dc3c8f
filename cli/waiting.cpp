#include "waiting.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <system_error>

namespace carom::cli {

Waiting::Waiting(bool wanted, std::string what) {
  if (!wanted || isatty(STDERR_FILENO) == 0) return;
  try {
    thread_ = std::thread([this, text = std::move(what)] { tell(text); });
  } catch (const std::system_error&) {
    // no thread, no line
  }
}

Waiting::~Waiting() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void Waiting::tell(const std::string& what) {
  std::unique_lock lock(mutex_);
  bool told = false;
  for (int seconds = 1; !ended_.wait_for(lock, std::chrono::seconds(1), [&] { return done_; }); ++seconds) {
    fmt::print(stderr, "\r{}, {} s\033[K", what, seconds);
    std::fflush(stderr);
    told = true;
  }
  if (!told) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

}  // namespace carom::cli

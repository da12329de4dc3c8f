#include "waiting.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <system_error>

#include "progress.h"

namespace carom::cli {

Waiting::Waiting(bool wanted, std::string what, Watch* watch, std::optional<Clock::time_point> deadline)
    : shown_(wanted && isatty(STDERR_FILENO) != 0), watch_(watch), deadline_(deadline) {
  if (!shown_ && !deadline_) return;
  try {
    thread_ = std::thread([this, text = std::move(what)] { wait(text); });
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

void Waiting::wait(const std::string& what) {
  const Clock::time_point begin = Clock::now();
  std::unique_lock lock(mutex_);
  bool told = false;
  for (int seconds = 1; !done_;) {
    const Clock::time_point next = begin + std::chrono::seconds(seconds);
    const bool ends_first = deadline_ && *deadline_ < next && !watch_->is_cancelled();
    if (ended_.wait_until(lock, ends_first ? *deadline_ : next, [&] { return done_; })) break;
    if (ends_first) watch_->cancelled = true;
    if (ends_first || !shown_) {
      seconds += ends_first ? 0 : 1;
      continue;
    }
    tell(what, seconds++);
    told = true;
  }
  if (!told) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

void Waiting::tell(const std::string& what, int seconds) const {
  const double spent = watch_ != nullptr ? watch_->spent.load() : 0;
  const std::string left =
      spent > 0 && spent < 1 ? fmt::format(", {} left at most", duration_text(seconds * (1 - spent) / spent)) : "";
  fmt::print(stderr, "\r{}, {} s{}\033[K", what, seconds, left);
  std::fflush(stderr);
}

}  // namespace carom::cli

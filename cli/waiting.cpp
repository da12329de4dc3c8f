#include "waiting.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <system_error>
#include <utility>

#include "progress.h"

namespace carom::cli {

Waiting::Waiting(bool wanted, std::string what, Watch* watch, std::optional<Clock::time_point> deadline)
    : shown_(wanted && isatty(STDERR_FILENO) != 0),
      watch_(watch),
      deadline_(deadline),
      begin_(Clock::now()),
      what_(std::move(what)),
      began_(begin_) {
  if (!shown_ && !deadline_) return;
  try {
    thread_ = std::thread([this] { wait(); });
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

void Waiting::next(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  began_ = Clock::now();
  if (watch_ != nullptr) watch_->spent = 0;
}

void Waiting::wait() {
  std::unique_lock lock(mutex_);
  bool told = false;
  for (int seconds = 1; !done_;) {
    const Clock::time_point next = begin_ + std::chrono::seconds(seconds);
    const bool ends_first = deadline_ && *deadline_ < next && !watch_->is_cancelled();
    if (ended_.wait_until(lock, ends_first ? *deadline_ : next, [&] { return done_; })) break;
    if (ends_first) watch_->cancelled = true;
    if (ends_first || !shown_) {
      seconds += ends_first ? 0 : 1;
      continue;
    }
    tell(seconds++);
    told = true;
  }
  if (!told) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

void Waiting::tell(int seconds) const {
  const double spent = watch_ != nullptr ? watch_->spent.load() : 0;
  const double passed = std::chrono::duration<double>(Clock::now() - began_).count();
  const std::string left =
      spent > 0 && spent < 1
          ? fmt::format(", {} left{}", duration_text(passed * (1 - spent) / spent), watch_->at_most ? " at most" : "")
          : "";
  fmt::print(stderr, "\r{}, {} s{}\033[K", what_, seconds, left);
  std::fflush(stderr);
}

}  // namespace carom::cli

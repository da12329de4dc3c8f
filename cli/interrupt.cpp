#include "interrupt.h"

#include <csignal>

namespace carom::cli {
namespace {

std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal may come at any time

}  // namespace

const std::atomic<bool>& interrupted() {
  for (const int signal : {SIGINT, SIGTERM})
    std::signal(signal, [](int which) {
      was_interrupted = true;
      std::signal(which, SIG_DFL);
    });
  return was_interrupted;
}

std::optional<std::chrono::steady_clock::time_point> deadline_in(double seconds) {
  if (!(seconds > 0)) return std::nullopt;
  const std::chrono::duration<double> wait(seconds);
  return std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(wait);
}

}  // namespace carom::cli

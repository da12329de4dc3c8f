#include "interrupt.h"

#include <csignal>

namespace carom::cli {
namespace {

std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal may come at any time

}  // namespace

const std::atomic<bool>& interrupted() {
  std::signal(SIGINT, [](int) {
    was_interrupted = true;
    std::signal(SIGINT, SIG_DFL);
  });
  return was_interrupted;
}

}  // namespace carom::cli

#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace carom::cli {
namespace {

constexpr int kWidth = 30;
constexpr auto kFirst = std::chrono::milliseconds(300), kAgain = std::chrono::milliseconds(100);

std::string duration_text(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace

ProgressBar::ProgressBar(bool wanted)
    : shown_(wanted && isatty(STDERR_FILENO) != 0), begin_(Clock::now()), next_(begin_ + kFirst) {}

void ProgressBar::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

void ProgressBar::show(const app::Progress& run, std::string_view label) {
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  if (label != label_) {
    clear();
    label_ = label;
    begin_ = now;
    next_ = now + kFirst;
  }
  if (now < next_) return;
  next_ = now + kAgain;
  drawn_ = true;
  const double part = std::clamp(run.t / run.duration, 0.0, 1.0);
  const int full = static_cast<int>(part * kWidth);
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < full ? "█" : "░";
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const std::string left = part > 0 ? duration_text(elapsed * (1 - part) / part) + " left" : "";
  fmt::print(stderr, "\r{}{}{} {:.4g} of {:.4g} s, {} impacts, {}\033[K", label_, label_.empty() ? "" : " ", bar, run.t,
             run.duration, run.impacts, left);
  std::fflush(stderr);
}

}  // namespace carom::cli

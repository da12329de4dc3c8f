#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace carom::cli {
namespace {

constexpr int kWidth = 30;
constexpr auto kFirst = std::chrono::milliseconds(300), kAgain = std::chrono::milliseconds(100);

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5970) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

ProgressBar::ProgressBar(bool wanted)
    : shown_(wanted && isatty(STDERR_FILENO) != 0), begin_(Clock::now()), next_(begin_ + kFirst) {}

void ProgressBar::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

void ProgressBar::show(const app::Progress& run, std::string_view label) {
  if (is_time(label))
    draw(run.t / run.duration, fmt::format("{:.4g} of {:.4g} s, {} impacts, ", run.t, run.duration, run.impacts));
}

void ProgressBar::show(double share, std::string_view label) {
  if (is_time(label)) draw(share, "");
}

bool ProgressBar::is_time(std::string_view label) {
  if (!shown_) return false;
  const Clock::time_point now = Clock::now();
  if (label != label_) {
    clear();
    label_ = label;
    begin_ = now;
    next_ = now + kFirst;
  }
  if (now < next_) return false;
  next_ = now + kAgain;
  return true;
}

void ProgressBar::draw(double share, const std::string& text) {
  drawn_ = true;
  const double part = std::clamp(share, 0.0, 1.0);
  const int full = static_cast<int>(part * kWidth);
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < full ? "█" : "░";
  const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
  const std::string left = part > 0 ? duration_text(elapsed * (1 - part) / part) + " left" : "";
  fmt::print(stderr, "\r{}{}{} {}{}\033[K", label_, label_.empty() ? "" : " ", bar, text, left);
  std::fflush(stderr);
}

}  // namespace carom::cli

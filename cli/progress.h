#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "carom/app/control.h"

namespace carom::cli {

std::string duration_text(double seconds);  // in seconds, minutes or hours, without fractions

/// A line on standard error, where that is a terminal, that tells how far work is: its label, simulated time, impacts,
/// and when it will be done. Another label is another run.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const app::Progress& run, std::string_view label);
  void show(double share, std::string_view label);  // of other work
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_time(std::string_view label);
  void draw(double share, const std::string& text);

  std::string label_;
  bool shown_, drawn_ = false;
  Clock::time_point begin_, next_;
};

}  // namespace carom::cli

#pragma once

#include <chrono>
#include <string>

#include "simulate/run.h"

namespace carom::cli {

/// A line on standard error, where that is a terminal, that tells how far a run is: its label, simulated time, impacts,
/// and when it will be done.
class ProgressBar : public Observer {
 public:
  ProgressBar(double duration, bool wanted, std::string label = "");
  ~ProgressBar() override;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void progress(double t, long impacts) override;

 private:
  using Clock = std::chrono::steady_clock;

  double duration_;
  std::string label_;
  bool shown_, drawn_ = false;
  Clock::time_point begin_ = Clock::now(), next_ = begin_;
};

}  // namespace carom::cli

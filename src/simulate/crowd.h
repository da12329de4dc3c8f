#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "carom/model/model.h"
#include "carom/simulate/archive.h"

namespace carom::simulate {

/// Tells when events, or steps between them, pile up: so many in so short a time that following them one by one leads
/// nowhere; or so many with so many contacts, for so long, that it does not end.
class Crowd {
 public:
  explicit Crowd(const Model& model) : factor_(std::max(1.0, static_cast<double>(model.bodies().size()) / 4)) {}

  void event() { count(1 / factor_); }
  void step(std::size_t closed) {  // of the motion, however short, with so many closed contacts
    count(kStep);
    windows_.back().count += static_cast<double>(closed);
  }

  /// `unit` [s] is the time in which the fastest body moves by its size.
  bool is_dense(double t, double unit) {
    bool dense = false;
    for (std::size_t k = 0; k < windows_.size(); ++k) {
      Window& window = windows_[k];
      if (t > window.start + kLevels[k].length * unit) window = {t, 0};
      if (window.count > kLevels[k].most / (k == kWork ? works_.crossings() : 1)) {
        dense = true;
        level_ = std::max(level_, k);
      }
    }
    return dense;
  }

  /// [s] a step that leads out of it: longer each time if it did not.
  double way_out(double t, double unit) {
    return std::max(ways().next(t, kLevels[level_].step * unit, kLevels[level_].length * unit), 1e-12 * t);
  }

  void crossed(double t) {
    ways().crossed = t;
    for (std::size_t k = 0; k < windows_.size(); ++k)
      if (k != kWork || level_ == kWork) windows_[k] = {t, 0};
    level_ = 0;
  }

  void archived(Archive& archive) {
    for (Window& window : windows_) archive& window.start& window.count;
    archive& level_& events_.crossed& events_.stretch& works_.crossed& works_.stretch;
  }

 private:
  static constexpr double kStep = 2;  // a step counts as so many events

  void count(double events) {
    for (std::size_t k = 0; k < kWork; ++k) windows_[k].count += events;
  }

  struct Level {
    double length;  // of the window, in units
    double most;    // events in it
    double step;    // across, in units
  };
  static constexpr std::array<Level, 7> kLevels = {{{1e-9, 20, 1e-7},
                                                    {1e-6, 200, 1e-5},
                                                    {1e-4, 400, 1e-4},
                                                    {1e-3, 800, 2e-4},
                                                    {1e-2, 2000, 4e-4},
                                                    {1e-1, 8000, 1e-3},
                                                    {1, 8000, 1e-2}}};  // of closed contacts, summed over the steps
  static constexpr std::size_t kWork = kLevels.size() - 1;
  static constexpr double kFarther = 8, kMostStretch = 2097152, kSoon = 10;

  /// How far the way across was the last time.
  struct Ways {
    double crossed = -1e300, stretch = 1;

    double next(double t, double step, double window) {
      const double soon = crossed + kSoon * std::max(stretch * step, window);
      stretch = t <= soon ? std::min(kFarther * stretch, kMostStretch) : 1;
      return stretch * step;
    }
    /// One more than those that came soon after each other.
    double crossings() const { return 1 + std::log(stretch) / std::log(kFarther); }
  };
  Ways& ways() { return level_ == kWork ? works_ : events_; }

  struct Window {
    double start = -1e300;
    double count = 0;
  };
  double factor_;
  std::array<Window, kLevels.size()> windows_{};
  std::size_t level_ = 0;
  Ways events_, works_;
};

}  // namespace carom::simulate

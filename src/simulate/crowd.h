#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "carom/model/model.h"
#include "carom/simulate/archive.h"

namespace carom::simulate {

/// Tells when events, or steps between them, pile up: so many in so short a time that following them one by one leads
/// nowhere.
class Crowd {
 public:
  explicit Crowd(const Model& model) : factor_(std::max(1.0, static_cast<double>(model.bodies().size()) / 4)) {}

  void event() { count(1 / factor_); }
  void step() { count(kStep); }  // of the motion, however short

  /// `unit` [s] is the time in which the fastest body moves by its size.
  bool is_dense(double t, double unit) {
    bool dense = false;
    for (std::size_t k = 0; k < windows_.size(); ++k) {
      Window& window = windows_[k];
      if (t > window.start + kLevels[k].length * unit) window = {t, 0};
      if (window.count > kLevels[k].most) {
        dense = true;
        level_ = std::max(level_, k);
      }
    }
    return dense;
  }

  /// [s] a step that leads out of it: longer each time if it did not.
  double way_out(double t, double unit) {
    const double step = kLevels[level_].step * unit, window = kLevels[level_].length * unit;
    const double soon = crossed_ + kSoon * std::max(stretch_ * step, window);
    stretch_ = t <= soon ? std::min(kFarther * stretch_, kMostStretch) : 1;
    return std::max(stretch_ * step, 1e-12 * t);
  }

  void crossed(double t) {
    crossed_ = t;
    level_ = 0;
    for (Window& window : windows_) window = {t, 0};
  }

  void archived(Archive& archive) {
    for (Window& window : windows_) archive& window.start& window.count;
    archive& level_& crossed_& stretch_;
  }

 private:
  static constexpr double kStep = 2;  // a step counts as so many events

  void count(double events) {
    for (Window& window : windows_) window.count += events;
  }

  struct Level {
    double length;  // of the window, in units
    double most;    // events in it
    double step;    // across, in units
  };
  static constexpr std::array<Level, 6> kLevels = {{{1e-9, 20, 1e-7},
                                                    {1e-6, 200, 1e-5},
                                                    {1e-4, 400, 1e-4},
                                                    {1e-3, 800, 2e-4},
                                                    {1e-2, 2000, 4e-4},
                                                    {1e-1, 8000, 1e-3}}};
  static constexpr double kFarther = 8, kMostStretch = 32768, kSoon = 10;

  struct Window {
    double start = -1e300;
    double count = 0;
  };
  double factor_;
  std::array<Window, kLevels.size()> windows_{};
  std::size_t level_ = 0;
  double crossed_ = -1e300, stretch_ = 1;
};

}  // namespace carom::simulate

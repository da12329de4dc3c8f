#pragma once

#include <optional>

#include "carom/forces/engine/events.h"
#include "carom/numerics/runge_kutta.h"

namespace carom::forces {

/// Steps of a motion that end where something happens. The caller owns time and state.
class Stepper {
 public:
  Stepper(Motion& motion, const Scales& scales, double error);

  void start(double t, const Vector& y) { pair_.start(motion_, t, y.data()); }

  /// Tries a step of length h from y; returns its error, at most 1 if it is good.
  double attempt(double t, double h, const Vector& y);

  /// After a good step: the first moment at which something happens, as a part of the step, and what; part = 1 and
  /// nothing if it goes to its end. part = 0: it is due at once. `late` events may be due at once and are passed over.
  struct Found {
    double part = 1;
    std::vector<Event> events;
  };
  Found first_events(double t, double h, const Vector& y, bool late);

  /// The largest normal forces within the step, and when, into the contacts' states.
  void note_peaks(double t, double h, const Vector& y);

  Vector end() const { return Eigen::Map<const Vector>(pair_.end(), motion_.size()); }
  void advance(double t_end) {
    pair_.finish(motion_, t_end);
    pair_.advance();
  }

 private:
  using Pair = numerics::RungeKutta<numerics::DormandPrince8>;

  void interpolate(double t, double h, const Vector& y);
  void move_inside(double part);  // the state there
  void at(double t, double h, double part, Moment& moment);

  Motion& motion_;
  const Scales& scales_;
  Pair pair_;
  Vector weight_, inside_;
  Matrix powers_;  // polynomials of the step in what forces depend on, a row each
  bool interpolated_ = false;
};

}  // namespace carom::forces

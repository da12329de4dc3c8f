#pragma once

#include <cmath>
#include <optional>

#include "carom/forces/engine/events.h"
#include "carom/numerics/runge_kutta.h"

namespace carom::forces {

/// Steps of a motion that end where something happens. The caller owns time and state.
class Stepper {
 public:
  Stepper(Motion& motion, const Scales& scales, double error);

  void start(double t, const Vector& y) {
    pair_.start(motion_, t, y.data());
    earlier_ = HUGE_VAL;
  }

  /// Tries a step of length h from y; returns its error, at most 1 if it is good.
  double attempt(double t, double h, const Vector& y);

  /// After a good step from y, where contacts do `before`: the first moment at which something happens, as a part of
  /// the step, and what; part = 1 and nothing if it goes to its end. part = 0: it is due at once. `late` events may be
  /// due at once and are passed over.
  struct Found {
    double part = 1;
    std::vector<Event> events;
  };
  Found first_events(double t, double h, const Vector& y, const Moment& before, bool late);

  /// The largest normal forces within the step, and when, into the contacts' states; counts what only has to be
  /// counted.
  /// Returns how many that were.
  long note_peaks(double t, double h, const Vector& y, const Moment& before);

  /// What contacts do at the end of the last good step.
  const Moment& after() const { return after_; }

  Vector end() const { return Eigen::Map<const Vector>(pair_.end(), motion_.size()); }
  void advance(double t_end) {
    pair_.finish(motion_, t_end);
    pair_.advance();
  }

 private:
  using Pair = numerics::RungeKutta<numerics::DormandPrince8>;

  void interpolate(double t, double h, const Vector& y);
  void move_inside(double part);  // the state there
  double force_at(Index contact, double t, double h, double part);
  long count_passive(double t, double h, const Vector& y, const Moment& before);
  void find_peak(Index contact, double t, double h, const Moment& before);

  Motion& motion_;
  const Scales& scales_;
  Pair pair_;
  Vector weight_, inside_;
  Matrix powers_;  // polynomials of the step in what forces depend on, a row each
  bool interpolated_ = false;
  bool has_after_ = false;
  Moment after_, inside_moment_;
  std::vector<Event> passive_;  // that may happen and only have to be counted
  double earlier_ = HUGE_VAL;   // [s] the beginning of the step before this one, if nothing happened in between
  Vector earlier_force_;        // (rows) then
};

}  // namespace carom::forces

#pragma once

#include "carom/forces/engine/stepper.h"

namespace carom::forces {

/// Contacts on their way: steps that are controlled by their error, end where something happens, and let it happen.
class Follower {
 public:
  /// From `start` at t = 0 on; `error` [-] is allowed in a step. Keeps references to motion and scales.
  Follower(Motion& motion, const Scales& scales, double error, Vector start);

  /// After t, y or the states of contacts were changed.
  void start();

  /// Tries one step of at most `most`; `moment` is what contacts do now. False: it was too long, or something is due at
  /// once; time did not pass. `happened` are the events at its end.
  bool step(const Moment& moment, double most = HUGE_VAL);

  double proposed() const { return h_; }  // how long the next step may be
  void propose(double h) { h_ = h; }

  double t = 0;
  Vector y;
  std::vector<Event> happened;
  long steps = 0, events = 0;

 private:
  Motion& motion_;
  const Scales& scales_;
  Stepper stepper_;
  numerics::StepControl control_{numerics::DormandPrince8::error_order};
  double h_;                 // the next step
  long at_this_moment_ = 0;  // events without time passing
  Moment end_;
};

}  // namespace carom::forces

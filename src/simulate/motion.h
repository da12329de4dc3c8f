#pragma once

#include "carom/numerics/runge_kutta.h"
#include "carom/simulate/resting.h"
#include "carom/simulate/scales.h"
#include "carom/simulate/scheme.h"
#include "carom/simulate/smooth_motion.h"
#include "carom/simulate/trajectory_step.h"

namespace carom::simulate {

/// Where a run is, with what has happened to energy between impacts since its start.
struct Moment {
  State state;
  double work = 0;           // [J] of loads, prescribed bodies and moving walls
  double damped = 0;         // [J] lost in dampers
  double friction_work = 0;  // [J] lost by slip
};

/// Integrates the motion between events in a given mode, by an explicit pair of order 8 with error control. Remembers
/// how long the steps were.
class Motion {
 public:
  Motion(const Model& model, const EventDriven& scheme, const Resting& resting, const Scales& scales,
         double first_step);

  /// How a step was found.
  struct Step {
    double h = 0;         // [s]
    double error = 0;     // of its end, relative to the tolerance: at most 1, unless rounding makes more of it
    bool found = false;   // false: steps below the smallest would be needed; nothing was done
    bool crawls = false;  // far shorter than the time in which a contact in space stops to slip
  };

  /// Finds a step from `from`, not longer than `most`, and interpolates it. `trajectory`, `end` and `end_after` speak
  /// of it until the next call.
  Step step(const Moment& from, const Mode& mode, double most, const Scales& scales);

  double proposed() const { return proposed_; }  // [s] how long the next step may be

  /// What steps depend on beside where they begin.
  struct Pace {
    double proposed = 0;  // [s]
    long evaluations = 0;
  };
  Pace pace() const { return {proposed_, evaluations}; }
  void take(const Pace& pace) {
    proposed_ = pace.proposed;
    evaluations = pace.evaluations;
  }

  TrajectoryStep trajectory() const { return {model_, curves_, layout_, from_.state.t, h_}; }
  Moment end() const;
  /// The same after a part of the step only: integrated anew, which is more accurate than the interpolation unless a
  /// stage leads beyond a change of contacts.
  Moment end_after(double h);

  long evaluations = 0;

 private:
  auto derivative();
  bool is_finite() const;  // the interpolated step
  void set_weights(const Scales& scales);
  Moment unpacked(double t) const;

  const Model& model_;
  const Resting& resting_;  // these bodies do not move
  double tolerance_;
  Layout layout_;
  TrajectoryStep::Stepper stepper_;
  TrajectoryStep::Curves curves_;  // of the step
  numerics::StepControl control_{numerics::DormandPrince8::error_order};
  double proposed_;  // [s] the next step
  double h_ = 0;     // [s] of the present one
  Moment from_;
  Mode mode_;
  ForceOrder order_;  // of the evaluation before
  Vector y_, weight_;
};

}  // namespace carom::simulate

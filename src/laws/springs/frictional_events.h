#pragma once

#include <vector>

#include "carom/laws/springs/frictional_motion.h"
#include "carom/numerics/runge_kutta.h"

namespace carom::springs {

using FrictionalStepper = numerics::RungeKutta<numerics::DormandPrince8>;

/// Slower slip than this, in parts of the tolerance, is none.
inline constexpr double kStill = 1e-2;

/// A step that was tried and interpolated, from y with velocities gamma.
struct TriedStep {
  const FrictionalMotion& motion;
  const FrictionalStepper& stepper;
  const Vector &y, &gamma;
};

enum class Watched : char { turn, release, closing, stop, hold };
struct Watch {
  Index contact;  // -1 of a hold: it concerns all that stick
  Watched what;
};

/// The part of a step after which something happens, above 1 if nothing does, and what.
struct FirstEvent {
  double part;
  std::vector<Watch> due;
};
FirstEvent first_event(const TriedStep& step);

}  // namespace carom::springs

#pragma once

#include <utility>

#include "carom/model/model.h"

namespace carom::simulate {

/// Keeps the velocities at the ends of time steps within the joints.
///
/// A step keeps the joints by its mean velocity. What it leaves of J'u at its end is of second order; left alone, it
/// changes its sign from step to step and grows where a mechanism is near a dead point, and only taken off, it takes
/// energy with it, step by step. So half of it is given to the joints before the step and half taken off behind it,
///   u + M^-1 J mu  ->  step  ->  u - M^-1 J mu,
/// which is the same backwards in time and so loses and gains alternately. mu is that of the step before, which
/// differs little; what it leaves is taken off as well.
class JointBalance {
 public:
  /// Before a step. Returns what the kinetic energy grows by [J].
  double push(const Model& model, State& state) const;
  /// Behind it, the positions being kept already. After a jump of velocities the next step begins anew.
  double settle(const Model& model, State& state, bool jumped);

  void recall(Vector mu, double taken) {
    mu_ = std::move(mu);
    taken_ = taken;
  }
  const Vector& mu() const { return mu_; }
  double taken() const { return taken_; }

 private:
  Vector mu_;         // (joint rows) empty: not known yet
  double taken_ = 0;  // [J] kinetic energy of what was taken off
};

}  // namespace carom::simulate

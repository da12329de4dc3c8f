#pragma once

#include "carom/simulate/free_motion.h"
#include "carom/simulate/observer.h"

namespace carom::simulate {

struct StepKind {
  double theta = 0, h = 0;  // [-], [s]
  bool contacts_act = false;
};

/// Adds what loads, prescribed bodies, dampers, joints and gyroscopic torques did over a step, at its mean velocity;
/// `middle` has the velocities before it.
void book_smooth_forces(const Model& model, const State& middle, const Vector& u_plus, const FreeMotion& free,
                        const StepKind& step, Ledger& ledger);

/// Whether contacts that are thrown back give more energy than they took, beyond what the scheme allows (see Journal).
bool creates_energy(const ImpactProblem& problem, const ImpactOutcome& outcome);

}  // namespace carom::simulate

#pragma once

#include "simulate/run.h"

namespace carom {

/// Moves a model by the Moreau-Jean scheme; see `run`. A step of length h from (q, u):
///   q_m = q + (1 - theta) h u                                  contacts with a gap <= 0 (or closing within the step)
///   at q_m take part M (u+ - u) = h f(t_m, q_m, u) + W Lambda + J Lambda_J      with the impact law on gamma+ and
///   gamma- q+ = q_m + theta h u+
/// Joints that have drifted are brought back by a projection of q; contacts are kept from sinking by the same
/// projection where they are deeper than the slop. Neither changes velocities.                   [Moreau 1988, Jean
/// 1999]
RunSummary run_time_stepping(const Model& model, const State& start, const TimeStepping& scheme, const ImpactLaw& law,
                             const RunOptions& options, Observer& observer);

}  // namespace carom

#pragma once

#include "simulate/run.h"

namespace carom {

/// Moves a model by the Moreau-Jean scheme; see `run`. A step of length h from (q, u):
///   q_m = q + (1 - theta) h u
///   M (u+ - u) = h f(t_m, q_m, u) + W Lambda + J Lambda_J
///   q+ = q_m + theta h u+
/// with the law between gamma- and gamma+ of the contacts that are closed at q_m or would be at q_m + theta h u. Other
/// near contacts may not overlap at the end: 0 <= gamma+ + gap / (theta h) _|_ Lambda >= 0.
///
/// Joints that have drifted, and contacts deeper than a slop, are brought back by the least displacement, which changes
/// no velocities.                                                                        [Moreau 1988, Jean 1999]
RunSummary run_time_stepping(const Model& model, const State& start, const TimeStepping& scheme, const ImpactLaw& law,
                             const RunOptions& options, Observer& observer);

}  // namespace carom

#pragma once

#include <optional>

#include "carom/simulate/next_mode.h"
#include "carom/simulate/trajectory_step.h"

namespace carom::simulate {

/// The first time within a step, as a fraction of it and not after `until`, at which the mode no longer holds: a closed
/// contact opens, begins to slip, stops slipping or leaves its place. Found also where the mode holds again at the end:
/// the margins are sampled, and where the polynomial through the samples comes near zero they are looked at again.
std::optional<double> first_change(const Model& model, const TrajectoryStep& step, double until, const Mode& mode,
                                   const Scales& scales);

}  // namespace carom::simulate

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

/// After a step: takes the headings of contacts that slip from their velocities. True: slip in space, which fades in
/// ever shorter steps (`crawls`), may have come to rest.
bool look_at_slip(const Model& model, const State& state, bool crawls, const Scales& scales, Mode& mode);

}  // namespace carom::simulate

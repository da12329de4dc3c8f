#pragma once

#include "carom/scene/recorded_run.h"

namespace carom::scene {

/// Replaces the end of a run by the state that its trajectory.csv has at t [s]. What the scheme remembers is not
/// recorded there. Throws InputError, whose rule says which times are near, if it has none.
void take_row(RecordedRun& run, double t);

}  // namespace carom::scene

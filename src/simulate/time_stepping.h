#pragma once

#include "carom/laws/all.h"
#include "carom/simulate/scheme.h"
#include "carom/simulate/summary.h"

namespace carom::simulate {

/// Moves a model by steps of fixed length, see `MoreauStep` and `run`. Ends early, as not finished, only where the
/// state is no number any more.
RunSummary run_time_stepping(const Model& model, const State& start, const TimeStepping& scheme, const ImpactLaw& law,
                             const RunOptions& options, Observer& observer);

}  // namespace carom::simulate

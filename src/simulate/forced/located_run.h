#pragma once

#include "carom/laws/compliant.h"
#include "carom/simulate/journal.h"

namespace carom::simulate {

/// Motion under contact forces whose steps are controlled by their error and end where a contact closes, opens, turns,
/// sticks or slips. For few bodies.
RunSummary run_located(const Model& model, const State& start, const ForcedMotion& scheme, const Compliant& law,
                       const RunOptions& options, Observer& observer);

}  // namespace carom::simulate

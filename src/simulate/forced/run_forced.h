#pragma once

#include "carom/laws/compliant.h"
#include "carom/simulate/observer.h"
#include "carom/simulate/scheme.h"
#include "carom/simulate/summary.h"

namespace carom::simulate {

/// Throws InputError unless every kind of contact has a stiffness and parameters that its forces can work with, and the
/// step, if it is given, is below the limit of stability.
void require_forces(const Model& model, const State& start, const ForcedMotion& scheme, const Compliant& law);

/// The scheme compliant. A closure of a contact counts as an impact.
RunSummary run_forced(const Model& model, const State& start, const ForcedMotion& scheme, const Compliant& law,
                      const RunOptions& options, Observer& observer);

}  // namespace carom::simulate

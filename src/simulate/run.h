#pragma once

#include "laws/all.h"
#include "model/model.h"
#include "simulate/observer.h"
#include "simulate/scheme.h"
#include "simulate/summary.h"

namespace carom {

/// Throws InputError if the law makes no sense with the scheme or cannot treat the contacts of the model, before
/// anything moves.
void require_scheme_and_law(const Model& model, const Scheme& scheme, const ImpactLaw& law);

/// The same, and that the parameters of the scheme make sense, that bodies do not overlap and that joints hold at the
/// start, and that floating point can carry the numbers.
void require_ready(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
                   const RunOptions& options);

/// Moves the model from `start` for options.duration and tells the observer.
RunSummary run(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
               const RunOptions& options, Observer& observer);

}  // namespace carom

#pragma once

#include "carom/laws/all.h"
#include "carom/model/model.h"
#include "carom/simulate/observer.h"
#include "carom/simulate/scheme.h"
#include "carom/simulate/summary.h"

namespace carom::simulate {

/// Throws InputError if the law makes no sense with the scheme or cannot treat the contacts of the model, before
/// anything moves.
void require_scheme_and_law(const Model& model, const Scheme& scheme, const ImpactLaw& law);

/// The same, and that the forces of contacts make sense where the scheme moves bodies under them.
void require_law(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law);

/// Whether the scheme compliant can move bodies under this law: whether it is a contact force.
bool is_contact_force(const ImpactLaw& law);

/// Throws InputError unless the parameters of the scheme make sense, bodies do not overlap and joints hold at the
/// start, and floating point can carry the numbers.
void require_start(const Model& model, const State& start, const Scheme& scheme, const RunOptions& options);

/// Both.
void require_ready(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
                   const RunOptions& options);

/// Moves the model from `start` for options.duration and tells the observer. Throws InputError as require_ready does.
RunSummary run(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
               const RunOptions& options, Observer& observer);

/// The same of what require_ready has let through.
RunSummary run_ready(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
                     const RunOptions& options, Observer& observer);

}  // namespace carom::simulate

namespace carom {
using simulate::is_contact_force;
using simulate::require_law;
using simulate::require_ready;
using simulate::require_scheme_and_law;
using simulate::require_start;
using simulate::run;
using simulate::run_ready;
}  // namespace carom

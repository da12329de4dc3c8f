#pragma once

#include "carom/laws/all.h"
#include "carom/simulate/scheme.h"
#include "carom/simulate/summary.h"

namespace carom::simulate {

/// Moves a model by the event-driven scheme; see `run`.
///
/// Between events the motion is integrated with an explicit pair of order 8, joints and closed contacts as constraints.
/// A step ends where a contact closes, or where the mode of the closed ones ends: one would pull, cannot hold on, stops
/// slipping or leaves its place. There, every contact that touches takes part in an impact if one of its island
/// approaches; forces then decide which stay closed, and how.
///
/// Infinitely many impacts in finite time: an impact in which nothing approaches faster than `rest` times the fastest
/// approach so far is plastic, and the contact stays closed. The time at which the sequence would have come to its end
/// is extrapolated and reported.
///
/// Where events pile up, or forces or steps cannot be found, a short time step leads across; the summary counts it.
RunSummary run_event_driven(const Model& model, const State& start, const EventDriven& scheme, const ImpactLaw& law,
                            const RunOptions& options, Observer& observer);

}  // namespace carom::simulate

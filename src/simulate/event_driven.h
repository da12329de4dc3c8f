#pragma once

#include "simulate/run.h"

namespace carom {

/// Moves a model by the event-driven scheme; see `run`.
///
/// Between events the motion is integrated with an explicit pair of order 8, joints and closed contacts as constraints.
/// A step ends where a contact closes or where a closed one would begin to pull. There, every contact that touches
/// takes part in an impact if one of its island approaches. What touches afterwards without moving apart stays closed
/// if the forces press it together.
///
/// Infinitely many impacts in finite time: an impact in which nothing approaches faster than `rest` times the
/// fastest approach so far is plastic, and the contact stays closed. The time at which the sequence would have come to
/// its end is extrapolated from its last three impacts and reported.
RunSummary run_event_driven(const Model& model, const State& start, const EventDriven& scheme, const ImpactLaw& law,
                            const RunOptions& options, Observer& observer);

}  // namespace carom

#pragma once

#include "carom/simulate/archive.h"
#include "carom/simulate/smooth_motion.h"
#include "carom/simulate/summary.h"

namespace carom::simulate {

/// What several schemes remember, for their checkpoints.
void archived(Archive& archive, State& state);
void archived(Archive& archive, PartPair& parts);
void archived(Archive& archive, geometry::Feature& feature);
void archived(Archive& archive, ContactPair& pair);
void archived(Archive& archive, TangentialState& along);
void archived(Archive& archive, Mode& mode);
void archived(Archive& archive, CarriedImpulse& carried);
void archived(Archive& archive, PairLoss& loss);
void archived(Archive& archive, ContactClosure& closure);
void archived(Archive& archive, RunEvent& event);
/// Energies and counts; the losses, the state at the end and the worst problem are not in it.
void archived(Archive& archive, RunSummary& summary);
/// Without what is known of bodies.
void archived(Archive& archive, RunMemory& memory);

}  // namespace carom::simulate

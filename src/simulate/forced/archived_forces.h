#pragma once

#include "carom/forces/all.h"
#include "carom/forces/engine/contact_state.h"
#include "carom/forces/rolling.h"
#include "carom/simulate/archive.h"

namespace carom::simulate {

/// Contact forces with their constants, and what contacts remember, for checkpoints.
void archived(Archive& archive, forces::Normal& force);
void archived(Archive& archive, forces::Friction& force);
void archived(Archive& archive, forces::RollingResistance& resistance);
void archived(Archive& archive, forces::Memory& memory);
void archived(Archive& archive, forces::ContactState& state);

}  // namespace carom::simulate

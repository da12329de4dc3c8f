#pragma once

#include "carom/model/model.h"
#include "carom/simulate/scales.h"
#include "carom/simulate/summary.h"

namespace carom::simulate {

/// [s] How long a step of event-driven motion may be, whatever its error: so that each of many bodies meets few others
/// in it, and none of them two images of one; and so that a run that ends at rest sees when it does.
double longest_step(const Model& model, const RunOptions& options, const Scales& scales);

}  // namespace carom::simulate

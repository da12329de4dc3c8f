#pragma once

#include "carom/model/model.h"

namespace carom {

/// The value of a formula that reads the state.
double value_at(const StateFormula& formula, const Model& model, const State& state);

}  // namespace carom

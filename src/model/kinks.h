#pragma once

#include <optional>

#include "model/model.h"

namespace carom {

/// The first time in (from, to] at which the motion of a prescribed body or a load is not smooth, as
/// Course::next_kink says.
std::optional<double> next_kink(const Model& model, double from, double to);

}  // namespace carom

#pragma once

#include <string>

#include "carom/model/model.h"
#include "carom/simulate/scheme.h"
#include "carom/simulate/summary.h"

namespace carom::simulate {

/// Throws InputError where a run needs numbers that floating point cannot carry: squares that overflow, bodies that
/// travel so far that a position no longer resolves their size, more records or steps than anybody can wait for.
void require_magnitudes(const Model& model, const State& start, const Scheme& scheme, const RunOptions& options);

/// The first body whose position or velocity is no number; empty if all are.
std::string body_out_of_range(const Model& model, const State& state);

/// Velocities so small that their energies leave the range of floating point are none: what is left where many impacts
/// without restitution take their share.
double without_vanishing(double u);
Vector without_vanishing(const Vector& u);

}  // namespace carom::simulate

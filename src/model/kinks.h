#pragma once

#include <optional>

#include "carom/model/model.h"

namespace carom {

/// The first time in (from, to] at which the motion of a prescribed body or a load is not smooth, as
/// TimeFunction::next_kink says.
std::optional<double> next_kink(const Model& model, double from, double to);

/// A time not longer than h within which prescribed bodies move on from t as the quintics through their places,
/// velocities and accelerations at both ends say, to a small part of `length` [m].
double plain_time(const Model& model, double t, double h, double length);

}  // namespace carom

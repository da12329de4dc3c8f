#pragma once

#include "carom/scene/draft.h"

namespace carom::scene {

/// A time function of time: a number, a formula such as "0.01*sin(2*pi*5*t)", or a record {file = "shaker.csv", column
/// = "y"} beside the scene: lines of numbers under a line of names, the first column the time.
TimeFunction read_time_function(const Draft& draft, const Field& field);

/// A formula of a part of a text that begins after `offset` characters. Throws ReadError with its place in it.
StateFormula parse_state_formula(const Draft& draft, const Field& field, std::string_view text, std::size_t offset);

/// How a wall moves: it stands, has time functions of its `velocity` [m/s] and `angular_velocity` [rad/s], or a
/// `motion`: time functions x, y, z [m] and angle [degrees] that are added to its position and angle; or, from rest, an
/// `acceleration` [m/s^2].
Prescribed read_motion(const Draft& draft, const Given& given);

/// Where a prescribed body is at the start, and how fast.
Start start_of(const Prescribed& prescribed);

/// [[force]]
void read_loads(Draft& draft, const Field& root);

}  // namespace carom::scene

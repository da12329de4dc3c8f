#pragma once

#include <optional>
#include <vector>

#include "carom/impact/problem.h"

namespace carom::simulate {

/// Where impacts at t1 < t2 < ... come to an end if their intervals shrink by a constant ratio r: t3 + (t3 - t2) r / (1
/// - r), from the last ones that rounding leaves distinguishable. The last time if they do not.
double end_of_sequence(const std::vector<double>& times);

/// How long all further bounces take in parts of the last, where flights are as long as their speeds are high:
///   sum of v_k / v_0 over k >= 1,   v_(k+1) = e(v_k) v_k.
/// Nothing if the sum has no end: e = 1 - alpha v^m with m >= 1, or e = 1. `inverse_mass` [1/kg] turns speeds into
/// works of compression.
std::optional<double> rest_of_bounces(const RestitutionFunction& e_of, double v_0, double inverse_mass);

/// Where the impacts at these times end, the last of which is `problem`: by its restitution, if that depends on the
/// speed at a single contact; else as a sequence of constant ratio. Nothing if they have no end.
std::optional<double> end_of_bounces(const std::vector<double>& times, const ImpactProblem& problem);

}  // namespace carom::simulate

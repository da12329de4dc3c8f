#pragma once

#include <string>

#include "carom/impact/outcome.h"
#include "carom/impact/path.h"
#include "carom/impact/problem.h"

namespace carom::record {

/// Energy lost up to each state of a path [J] (states).
Vector dissipated(const ImpactProblem& problem, const ImpactOutcome& outcome, const Path& path);

/// How many numbers a path of that many states writes.
double numbers_of_path(const ImpactProblem& problem, double states);

/// An outcome as "carom-outcome/1" with "path": one list per quantity, in it one entry per state. Quantities of the
/// contacts and the velocities are lists themselves.
std::string to_json_with_path(const ImpactOutcome& outcome, const Path& path);

/// A path as comma-separated values, one row per state; names and units stand in the first row.
std::string path_csv(const ImpactProblem& problem, const ImpactOutcome& outcome, const Path& path);

}  // namespace carom::record

#pragma once

#include <string>

#include "carom/impact/outcome.h"
#include "carom/impact/path.h"
#include "carom/impact/problem.h"

namespace carom::record {

/// What happens inside an impact, as a picture (SVG) over time: above, the force of each contact; below, the energies
/// on top of each other: kinetic, stored in the contacts, dissipated.
std::string path_svg(const ImpactProblem& problem, const ImpactOutcome& outcome, const Path& path);

}  // namespace carom::record

#pragma once

#include "carom/impact/problem.h"

namespace carom {

/// What `reduce` makes of a problem without joints, but for G, which stays empty: for methods that never form it.
ContactProblem reduce_without_G(const ImpactProblem& problem, SolveOptions options = {});

}  // namespace carom

#pragma once

/// All of Carom for those who use it as a library:
///   const carom::ImpactOutcome outcome = carom::solve(problem, carom::Newton{});

#include "impact/outcome.h"
#include "impact/problem.h"
#include "impact/solve.h"
#include "laws/all.h"

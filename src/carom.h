#pragma once

/// All of Carom for those who use it as a library: impact problems, laws and their answers,
///   const carom::ImpactOutcome outcome = carom::solve(problem, carom::Newton{});
/// models that move, and elastic rods. Scenes and results in files are in files.h, with a library of their own.

#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"
#include "carom/impact/solve.h"
#include "carom/laws/all.h"
#include "carom/model/model.h"
#include "carom/simulate/run.h"
#include "carom/waves/beam.h"
#include "carom/waves/exact.h"
#include "carom/waves/finite_elements.h"

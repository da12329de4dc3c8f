#pragma once

#include <string>
#include <vector>

#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"
#include "carom/record/column.h"
#include "carom/record/run_comparison.h"

namespace carom::record {

/// Which columns agree, one sentence each, and why they must where mechanics says so; then where the others part.
/// Numbers agree if they differ by less than a millionth of the largest.
std::vector<std::string> agreement_words(const ImpactProblem& problem, const std::vector<ImpactOutcome>& outcomes,
                                         const std::vector<ColumnTitle>& columns);

/// The same of runs: they agree if they have as many impacts, the same first ones, and the same velocities at the end.
std::vector<std::string> agreement_words(const Model& model, const std::vector<ComparedRun>& runs);

}  // namespace carom::record

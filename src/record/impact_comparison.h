#pragma once

#include <string>
#include <vector>

#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"
#include "carom/record/column.h"
#include "carom/record/json.h"

namespace carom::record {

/// Several outcomes of one problem side by side, one column per law; columns left out: the laws' names.
Table comparison_table(const ImpactProblem& problem, const std::vector<ImpactOutcome>& outcomes,
                       const std::vector<ColumnTitle>& columns = {});
std::string comparison_text(const ImpactProblem& problem, const std::vector<ImpactOutcome>& outcomes,
                            const std::vector<ColumnTitle>& columns = {});

/// The same as "carom-comparison/1", and why other laws are missing.
Json to_json(const ImpactProblem& problem, const std::vector<ImpactOutcome>& outcomes,
             const std::vector<ColumnTitle>& columns, const std::vector<std::string>& left_out);

}  // namespace carom::record

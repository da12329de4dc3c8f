#pragma once

#include <string>
#include <vector>

#include "carom/analysis/outcome_cloud.h"

namespace carom::record {

/// What is to be said about the outcomes that an impact may have.
struct OutcomesReport {
  const ImpactProblem& problem;
  const analysis::OutcomeCloud& cloud;
  std::vector<std::string> velocities;  // (n) names of the entries of u; empty: u[i]

  std::string name_of(Index entry) const;
  std::string json() const;  // "carom-outcomes/1"
  std::string text() const;  // for people
  std::string svg() const;   // each contact's gap velocity after the impact, as dots, in what mechanics allows
};

}  // namespace carom::record

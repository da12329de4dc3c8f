#pragma once

#include <string>
#include <vector>

#include "carom/analysis/outcome_cloud.h"
#include "carom/record/admissible_svg.h"

namespace carom::record {

/// What is to be said about the outcomes that an impact may have.
struct OutcomesReport {
  const ImpactProblem& problem;
  const analysis::OutcomeCloud& cloud;
  std::vector<std::string> velocities;  // (n) names of the entries of u; empty: u[i]
  std::vector<Mark> marks = {};         // what laws say, for the picture of two contacts

  std::string name_of(Index entry) const;
  std::string json() const;  // "carom-outcomes/1"
  std::string text() const;  // for people

  /// Outcomes as dots in what mechanics allows: of two contacts without friction in the plane of their kinetic normals,
  /// else the gap velocity of each contact after the impact.
  std::string svg() const;
};

}  // namespace carom::record

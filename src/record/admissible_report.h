#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/analysis/admissible_set.h"
#include "carom/analysis/matrix_verdict.h"

namespace carom::record {

/// What is to be said about an admissible set.
struct AdmissibleReport {
  const analysis::AdmissibleSet& set;
  std::vector<Vector> candidates;  // velocities to judge
  std::vector<Vector> samples;     // points of the set to list
  Matrix E_n;               // a restitution matrix to examine, and the guess of the inverse problem; may be empty
  double tolerance = 1e-9;  // of the judgements, relative
  std::optional<analysis::Restitution> restitution = {};  // of the law, to be judged for all velocities at once

  std::string json() const;  // "carom-admissible/1"
  std::string text() const;  // for people
};

}  // namespace carom::record

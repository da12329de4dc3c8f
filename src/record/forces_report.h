#pragma once

#include <string>

#include "carom/analysis/contact_forces.h"

namespace carom::record {

/// What is to be said about contact forces.
struct ForcesReport {
  const ImpactProblem& problem;
  const analysis::ContactForces& forces;

  std::string json() const;  // "carom-forces/1"
  std::string text() const;  // for people
};

}  // namespace carom::record

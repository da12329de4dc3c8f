#pragma once

#include <string>
#include <vector>

#include "carom/waves/outcome.h"
#include "carom/waves/rods.h"

namespace carom::record {

/// Stress and velocity in every rod at one time.
struct RodsFields {
  double t = 0;                                 // [s]
  std::vector<std::vector<waves::Piece>> rods;  // one list a rod
};

/// What is to be said about elastic rods.
struct RodsReport {
  waves::RodsProblem problem;
  std::string method;  // as the command line has it
  waves::RodsOutcome outcome;
  std::vector<waves::Sample> samples = {};  // empty: nobody asked
  std::vector<RodsFields> fields = {};

  std::string json() const;  // "carom-rods-outcome/1"
  std::string text() const;  // for people
};

}  // namespace carom::record

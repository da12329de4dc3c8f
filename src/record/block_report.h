#pragma once

#include <string>
#include <vector>

#include "carom/analysis/rocking_block.h"

namespace carom::record {

/// The angles of a rocking block and the coefficients it allows.
struct BlockReport {
  analysis::RockingBlock block;
  std::vector<double> mu;  // friction coefficients to look at

  std::string json() const;  // "carom-block/1"
  std::string text() const;  // for people
};

}  // namespace carom::record

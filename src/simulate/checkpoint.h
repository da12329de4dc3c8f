#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "carom/simulate/archive.h"

namespace carom::simulate {

/// All that a run knew at a time between two of its steps; see Observer::checkpoint.
struct Checkpoint {
  double t = 0;                                      // [s]
  std::string inner = {};                            // RunOptions::inner
  std::map<std::string, std::uint64_t> tables = {};  // [bytes] how long the tables of its results were, by name

  void archived(Archive& archive) { archive& t& inner& tables; }
};

}  // namespace carom::simulate

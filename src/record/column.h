#pragma once

#include <string>
#include <vector>

#include "carom/laws/all.h"
#include "carom/record/table.h"

namespace carom::record {

/// What stands above a column of a comparison: a law, its parameters where they were given, and in scenes how it moves.
struct ColumnTitle {
  ImpactLaw law;
  std::vector<std::string> settings = {};  // key=value
  std::string scheme = {};                 // empty: one impact, nothing moves

  std::string label() const;  // NAME or NAME{key=value,...}
};

/// A table with an empty first column and these.
Table table_of(const std::vector<ColumnTitle>& columns);

/// "a", "a and b", "a, b and c".
std::string enumeration(const std::vector<std::string>& words);

}  // namespace carom::record

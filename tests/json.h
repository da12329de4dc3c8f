#pragma once

#include <nlohmann/json.hpp>

#include "carom/numerics/linear_algebra.h"

namespace carom::testing {

using Json = nlohmann::json;

inline Vector to_vector(const Json& values) {
  Vector result(static_cast<Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) result[static_cast<Index>(i)] = values[i];
  return result;
}

inline Matrix to_matrix(const Json& rows) {
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (std::size_t i = 0; i < rows.size(); ++i) result.row(static_cast<Index>(i)) = to_vector(rows[i]);
  return result;
}

}  // namespace carom::testing

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/scene/field.h"

namespace carom::scene {

/// Columns of numbers under a line of names, separated by commas. Empty lines and lines that start with # do not count.
struct Csv {
  std::string file;
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;

  /// The column of the name that `column` gives; without it, of two columns the second.
  std::size_t column_index(const std::optional<Field>& column, const Field& file_field) const;
};

Csv parse_csv(std::string_view text, std::string file);

}  // namespace carom::scene

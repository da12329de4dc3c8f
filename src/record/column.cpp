#include "carom/record/column.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace carom::record {

std::string ColumnTitle::label() const {
  return settings.empty() ? std::string(name_of(law)) : fmt::format("{}{{{}}}", name_of(law), fmt::join(settings, ","));
}

Table table_of(const std::vector<ColumnTitle>& columns) {
  std::vector<std::string> names = {""}, schemes = {"scheme"};
  std::size_t lines = 0;
  for (const ColumnTitle& one : columns) {
    names.emplace_back(name_of(one.law));
    schemes.push_back(one.scheme);
    lines = std::max(lines, one.settings.size());
  }
  Table table(names);
  for (std::size_t i = 0; i < lines; ++i) {
    std::vector<std::string> row = {""};
    for (const ColumnTitle& one : columns) row.push_back(i < one.settings.size() ? one.settings[i] : "");
    table.add_to_header(row);
  }
  const bool moves = std::any_of(columns.begin(), columns.end(), [](const auto& one) { return !one.scheme.empty(); });
  if (moves) table.add_to_header(schemes);
  return table;
}

std::string enumeration(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  const std::vector<std::string> first(words.begin(), words.end() - 1);
  return fmt::format("{} and {}", fmt::join(first, ", "), words.back());
}

}  // namespace carom::record

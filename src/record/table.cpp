#include "carom/record/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::record {
namespace {

constexpr double kRounding = 1e-12;  // relative: smaller numbers of a table are shown as 0

std::string padded(const std::string& text, std::size_t columns, bool left) {
  const std::string space(columns - std::min(columns, width(text)), ' ');
  return left ? text + space : space + text;
}

}  // namespace

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string wrapped(const std::string& text, std::size_t characters) {
  std::string result, line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && width(line) + 1 + width(word) > characters) {
      result += line + "\n";
      line = "  " + word;
    } else {
      line += (begin == 0 ? "" : " ") + word;
    }
    begin = end + 1;
  }
  return result + line;
}

std::string number(double value, double scale) {
  if (std::abs(value) <= kRounding * scale) value = 0;
  return fmt::format("{:.6g}", value + 0.0);
}

Unit readable_unit(double largest, std::string_view si_unit) {
  constexpr std::array<const char*, 9> kPrefixes = {"f", "p", "n", "µ", "m", "", "k", "M", "G"};
  constexpr int kNone = 5;
  Unit plain{std::string(si_unit), 1};
  if (!(largest > 0)) return plain;
  const int exponent = static_cast<int>(std::floor(std::log10(largest)));
  if (exponent >= -1 && si_unit == "s") return plain;  // nobody counts in kiloseconds
  const int thousands = exponent >= -1 ? exponent / 3 : -((2 - exponent) / 3);
  if (thousands < -kNone || thousands + kNone >= static_cast<int>(kPrefixes.size())) return plain;
  return {kPrefixes[thousands + kNone] + std::string(si_unit), std::pow(10.0, 3 * thousands)};
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> columns;
  for (const auto* rows : {&header_, &rows_})
    for (const std::vector<std::string>& row : *rows) {
      columns.resize(std::max(columns.size(), row.size()), 0);
      for (std::size_t c = 0; c < row.size(); ++c) columns[c] = std::max(columns[c], width(row[c]));
    }
  return columns;
}

/// The first column, and those from `first` until `end`.
std::string Table::block(const std::vector<std::size_t>& widths, std::size_t first, std::size_t end) const {
  std::string result, rule(widths.empty() ? 0 : widths[0], '-');
  for (std::size_t c = first; c < end; ++c) rule += std::string(widths[c] + 2, '-');
  const auto print = [&](const std::vector<std::string>& row) {
    std::string line = row.empty() ? "" : padded(row[0], widths[0], true);
    for (std::size_t c = first; c < std::min(end, row.size()); ++c) line += "  " + padded(row[c], widths[c], false);
    result += "  " + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  for (const auto& row : header_) print(row);
  result += "  " + rule + "\n";
  for (const auto& row : rows_)
    if (row.empty())
      result += "  " + rule + "\n";
    else
      print(row);
  return result;
}

std::string Table::text() const {
  const std::vector<std::size_t> columns = widths();
  return block(columns, 1, columns.size());
}

std::string Table::text_within(std::size_t characters) const {
  const std::vector<std::size_t> columns = widths();
  std::string result;
  for (std::size_t first = 1; first < columns.size();) {
    std::size_t end = first, taken = 2 + columns[0];
    while (end < columns.size() && (end == first || taken + 2 + columns[end] <= characters))
      taken += 2 + columns[end++];
    result += (first > 1 ? "\n" : "") + block(columns, first, end);
    first = end;
  }
  return result;
}

}  // namespace carom::record

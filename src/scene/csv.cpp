#include "carom/scene/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/number.h"
#include "carom/scene/error.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::size_t kMostColumns = 10'000;

struct Cell {
  std::string_view text;  // without blanks around it
  std::uint32_t column = 1;
};

std::vector<Cell> cells_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<Cell> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const std::size_t first = std::min(line.find_first_not_of(blanks, begin), end);
    const std::size_t last = first == end ? end : line.find_last_not_of(blanks, end - 1) + 1;
    cells.push_back({line.substr(first, last - first), static_cast<std::uint32_t>(first + 1)});
    begin = end + 1;
  }
  return cells;
}

bool counts(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first != std::string_view::npos && line[first] != '#';
}

std::vector<double> numbers_in(const std::vector<Cell>& cells, const Csv& csv, std::uint32_t line) {
  const Document place{.file = csv.file, .root = {}, .options = {}};
  if (cells.size() != csv.names.size())
    fail(place, {line, 1}, fmt::format("{} entries; the first line names {} columns", cells.size(), csv.names.size()));
  std::vector<double> row;
  for (const Cell& cell : cells) {
    double value = 0;
    const auto [end, error] = read_number(cell.text.data(), cell.text.data() + cell.text.size(), value);
    if (error != std::errc() || end != cell.text.data() + cell.text.size() || !std::isfinite(value))
      fail(place, {line, cell.column}, fmt::format("{} is not a finite number", in_quotes(cell.text)));
    row.push_back(value);
  }
  return row;
}

}  // namespace

Csv parse_csv(std::string_view text, std::string file) {
  Csv csv{.file = std::move(file), .names = {}, .rows = {}};
  const Document place{.file = csv.file, .root = {}, .options = {}};
  std::uint32_t line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++line_number;
    if (!counts(line)) continue;
    const std::vector<Cell> cells = cells_of(line);
    if (!csv.names.empty()) {
      csv.rows.push_back(numbers_in(cells, csv, line_number));
      continue;
    }
    if (cells.size() < 2 || cells.size() > kMostColumns)
      fail(place, {line_number, 1}, "the first line names the columns, the time and at least one other, with commas");
    for (const Cell& cell : cells) csv.names.emplace_back(cell.text);
  }
  if (csv.rows.empty())
    fail(place, {std::max(line_number, 1u), 1}, "there are no numbers; a record has at least one line of them");
  return csv;
}

std::size_t Csv::column_index(const std::optional<Field>& column, const Field& file_field) const {
  const std::vector<std::string_view> known(names.begin() + 1, names.end());
  if (!column) {
    if (names.size() == 2) return 1;
    fail(file_field, fmt::format("= {} has the columns {}; say which with column = ...",
                                 in_quotes(*file_field.node->text()), listed(known)));
  }
  const std::string name = value_of<std::string>(*column);
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end())
    fail(*column, fmt::format("= {} is no column of {}; {}", in_quotes(name), printable(file),
                              suggestion(name, known, "its columns are")));
  return static_cast<std::size_t>(found - known.begin()) + 1;
}

}  // namespace carom::scene

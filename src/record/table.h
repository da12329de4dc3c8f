#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/record/json.h"

namespace carom::record {

constexpr std::size_t kWidestTable = 100;  // characters that a comparison is wide; further columns stand below

/// A table for people: first column left-aligned, the others right-aligned, a rule under the header.
class Table {
 public:
  explicit Table(std::vector<std::string> header) { header_.push_back(std::move(header)); }

  void add_to_header(std::vector<std::string> row) { header_.push_back(std::move(row)); }  // one more line
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void add_rule() { rows_.emplace_back(); }  // a line between groups of rows

  std::string text() const;

  /// The same in blocks of at most that many characters: each has the first column, and of the others as many as fit,
  /// at least one.
  std::string text_within(std::size_t characters) const;

  /// "header" and "rows", lists of lists of texts; a row without any is a rule.
  Json json() const { return {{"header", header_}, {"rows", rows_}}; }

 private:
  std::vector<std::size_t> widths() const;  // of the columns
  std::string block(const std::vector<std::size_t>& widths, std::size_t first, std::size_t end) const;

  std::vector<std::vector<std::string>> header_, rows_;
};

constexpr std::size_t kRowsShown = 24;  // longer tables are cut in the middle

/// Calls show(i) for each row, or for the first and last ones with a line between that counts the rest.
template <class Show>
void add_rows(Table& table, std::size_t count, Show&& show) {
  if (count <= kRowsShown) {
    for (std::size_t i = 0; i < count; ++i) show(i);
    return;
  }
  for (std::size_t i = 0; i < kRowsShown / 2; ++i) show(i);
  table.add({"... " + std::to_string(count - kRowsShown) + " more (--json shows all)"});
  for (std::size_t i = count - kRowsShown / 2; i < count; ++i) show(i);
}

/// A number for people: six digits, and 0 for what is rounding at that scale.
std::string number(double value, double scale = 0);

/// A unit with a prefix, "µs", and what it is in SI units, 1e-6.
struct Unit {
  std::string name;
  double factor = 1;
};

/// The unit in which numbers up to `largest` (in the SI unit) are easy to read.
Unit readable_unit(double largest, std::string_view si_unit);

/// A sentence in lines of at most that many characters, the second and further ones set in.
std::string wrapped(const std::string& text, std::size_t characters);

/// Characters of UTF-8 text.
std::size_t width(const std::string& text);

}  // namespace carom::record

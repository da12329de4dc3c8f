#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom::record {

/// A table for people: first column left-aligned, the others right-aligned, a rule under the header.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void add_rule() { rows_.emplace_back(); }  // a line between groups of rows

  std::string text() const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

/// A number for people: six digits, and 0 for what is rounding at that scale.
std::string number(double value, double scale = 0);

/// A unit with a prefix, "µs", and what it is in SI units, 1e-6.
struct Unit {
  std::string name;
  double factor = 1;
};

/// The unit in which numbers up to `largest` (in the SI unit) are easy to read.
Unit readable_unit(double largest, std::string_view si_unit);

/// Characters of UTF-8 text.
std::size_t width(const std::string& text);

}  // namespace carom::record

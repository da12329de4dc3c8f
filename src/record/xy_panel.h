#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "carom/record/svg.h"
#include "carom/record/table.h"

namespace carom::record {

/// A range of values with round ticks, told in a unit that makes them easy to read.
struct ValueRange {
  ValueRange(double least, double largest, std::string_view si_unit, int intervals);

  double least, largest, step;  // in SI units
  Unit unit;

  std::string label(double value) const;
};

/// A rectangle of a picture with two axes, y upwards.
class XyPanel {
 public:
  XyPanel(Svg::Point upper_left, Svg::Point lower_right, ValueRange x, ValueRange y)
      : upper_left_(std::move(upper_left)), lower_right_(std::move(lower_right)), x_(std::move(x)), y_(std::move(y)) {}

  Svg::Point at(double x, double y) const;
  void draw_grid(Svg& svg) const;  // behind what is shown
  void draw_axes(Svg& svg, std::string_view x_title, std::string_view y_title) const;

 private:
  template <class Act>
  static void for_each_tick(const ValueRange& range, Act&& act);

  Svg::Point upper_left_, lower_right_;
  ValueRange x_, y_;
};

}  // namespace carom::record

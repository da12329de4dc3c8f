#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/record/svg.h"
#include "carom/record/table.h"

namespace carom::record {

/// Values over a range from 0, told in a unit that makes them easy to read.
struct Axis {
  /// `intervals` between ticks to aim at.
  Axis(double end, std::string_view si_unit, int intervals);

  double end, step;  // in SI units
  Unit unit;

  std::string label(double value) const;
};

/// A smooth line through values >= 0 over rising times, as a polyline in pixels, y pointing down:
/// pixel = origin + scale * (time, value). Corners that nobody would see are left out.
std::vector<Svg::Point> curve(const std::vector<double>& times, const std::vector<double>& values,
                              const Svg::Point& origin, const Svg::Point& scale);

}  // namespace carom::record

#include "carom/record/xy_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom::record {

ValueRange::ValueRange(double least_, double largest_, std::string_view si_unit, int intervals)
    : least(least_), largest(largest_ > least_ ? largest_ : least_ + 1) {
  unit = readable_unit(std::max(std::abs(least), std::abs(largest)), si_unit);
  const double rough = (largest - least) / intervals, power = std::pow(10.0, std::floor(std::log10(rough)));
  step = power * (rough > 7 * power ? 10 : rough > 3.2 * power ? 5 : rough > 1.5 * power ? 2 : 1);
}

std::string ValueRange::label(double value) const {
  return fmt::format("{:.6g}", std::abs(value) < 1e-6 * step ? 0 : value / unit.factor);
}

template <class Act>
void XyPanel::for_each_tick(const ValueRange& range, Act&& act) {
  constexpr int kMostTicks = 40;
  const double first = std::ceil(range.least / range.step - 1e-6);
  for (int i = 0; i < kMostTicks && (first + i) * range.step <= range.largest + 1e-6 * range.step; ++i)
    act((first + i) * range.step);
}

Svg::Point XyPanel::at(double x, double y) const {
  const double right = (x - x_.least) / (x_.largest - x_.least), up = (y - y_.least) / (y_.largest - y_.least);
  return {upper_left_.x() + right * (lower_right_.x() - upper_left_.x()),
          lower_right_.y() - up * (lower_right_.y() - upper_left_.y())};
}

void XyPanel::draw_grid(Svg& svg) const {
  constexpr const char* kGrid = "stroke=\"#e9e9e9\" stroke-width=\"1\"";
  for_each_tick(x_, [&](double x) { svg.line(at(x, y_.least), at(x, y_.largest), kGrid); });
  for_each_tick(y_, [&](double y) { svg.line(at(x_.least, y), at(x_.largest, y), kGrid); });
}

void XyPanel::draw_axes(Svg& svg, std::string_view x_title, std::string_view y_title) const {
  constexpr const char* kAxis = "stroke=\"#333333\" stroke-width=\"1.25\"";
  const double left = upper_left_.x(), bottom = lower_right_.y();
  svg.line({left, bottom}, {lower_right_.x(), bottom}, kAxis);
  svg.line({left, bottom}, {left, upper_left_.y()}, kAxis);
  for_each_tick(x_, [&](double x) {
    svg.text({at(x, 0).x(), bottom + 19}, x_.label(x), "fill=\"#666666\" font-size=\"12\" text-anchor=\"middle\"");
  });
  for_each_tick(y_, [&](double y) {
    svg.text({left - 9, at(0, y).y() + 4}, y_.label(y), "fill=\"#666666\" font-size=\"12\" text-anchor=\"end\"");
  });
  const auto title = [](std::string_view name, const Unit& unit) {
    return unit.name.empty() ? std::string(name) : fmt::format("{} [{}]", name, unit.name);
  };
  svg.text({lower_right_.x(), bottom + 42}, title(x_title, x_.unit),
           "fill=\"#333333\" font-size=\"13\" font-weight=\"bold\" text-anchor=\"end\"");
  svg.text({left - 44, upper_left_.y() - 24}, title(y_title, y_.unit),
           "fill=\"#333333\" font-size=\"13\" font-weight=\"bold\"");
}

}  // namespace carom::record

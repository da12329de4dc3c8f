#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/record/corner_report.h"
#include "carom/record/svg.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

using analysis::Corner;

constexpr double kSheetSide = 252, kSheetTop = 120, kHalfSheet = 1;
constexpr double kBentAngle = 70, kBentOver = 180;      // [degrees]
constexpr double kTurnOfView = 28, kHeightOfView = 34;  // [degrees] of the eye above the sheet
constexpr const char *kBeforeColour = "#0072b2", *kAfterColour = "#d55e00";

/// A sheet with an edge across it: x along the edge, y > 0 before it, y < 0 beyond, where it is bent by an angle.
struct Sheet {
  Svg::Point middle;  // [pixels] of the edge
  double unit;        // [pixels]
  double bend;        // [rad]

  Svg::Point pixel(double x, double y) const {
    const double depth = y >= 0 ? y : y * std::cos(bend), height = y >= 0 ? 0 : y * std::sin(bend);
    const double turn = kTurnOfView * std::numbers::pi / 180, up = kHeightOfView * std::numbers::pi / 180;
    const double across = x * std::cos(turn) + depth * std::sin(turn);
    const double away = depth * std::cos(turn) - x * std::sin(turn);
    return {middle.x() + unit * across, middle.y() - unit * (away * std::sin(up) + height * std::cos(up))};
  }
};

void draw_half(Svg& svg, const Sheet& sheet, double y, const char* style) {
  svg.polygon({sheet.pixel(-kHalfSheet, 0), sheet.pixel(kHalfSheet, 0), sheet.pixel(kHalfSheet, y),
               sheet.pixel(-kHalfSheet, y)},
              style);
}

void draw_part(Svg& svg, const Sheet& sheet, const Svg::Point& from, const Svg::Point& to, const char* colour) {
  const Svg::Point a = sheet.pixel(from.x(), from.y()), b = sheet.pixel(to.x(), to.y());
  svg.line(a, b, fmt::format("stroke=\"{}\" stroke-width=\"2.2\"", colour));
  const Svg::Point d = (b - a).normalized(), across(-d.y(), d.x()), tip = a + 0.62 * (b - a);
  svg.polygon({tip, tip - 11 * d + 4.5 * across, tip - 11 * d - 4.5 * across}, fmt::format("fill=\"{}\"", colour));
}

/// As far along a direction as the half of the sheet reaches.
double reach_on_sheet(const Svg::Point& direction) {
  const double x = std::abs(direction.x()), y = std::abs(direction.y());
  return 0.92 * kHalfSheet / std::max({x, y, 1e-12});
}

void draw_sheet(Svg& svg, const Corner& corner, double left, double bend, const std::string& title) {
  svg.raw(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#fbfcfd\" stroke=\"#cfd6dc\"/>\n",
                      left, kSheetTop, kSheetSide, kSheetSide));
  svg.text({left, kSheetTop - 10}, title, "fill=\"#333333\" font-weight=\"bold\" font-size=\"13\"");
  const Sheet sheet{
      {left + kSheetSide / 2, kSheetTop + kSheetSide / 2}, 0.38 * kSheetSide, bend * std::numbers::pi / 180};
  const Svg::Point before = corner.before.normalized(), after = corner.ways[0].velocities.back();
  const Svg::Point beyond = Svg::Point(after.x(), -after.y());  // unfolded
  draw_half(svg, sheet, kHalfSheet, "fill=\"#e6edf3\" stroke=\"#8a97a3\"");
  draw_half(svg, sheet, -kHalfSheet, "fill=\"#f5e3d7\" fill-opacity=\"0.75\" stroke=\"#8a97a3\"");
  svg.line(sheet.pixel(-kHalfSheet, 0), sheet.pixel(kHalfSheet, 0), "stroke=\"#222222\" stroke-width=\"2.4\"");
  draw_part(svg, sheet, -reach_on_sheet(before) * before, Svg::Point::Zero(), kBeforeColour);
  if (beyond.norm() > 1e-9 * corner.before.norm())
    draw_part(svg, sheet, Svg::Point::Zero(), reach_on_sheet(beyond) * beyond, kAfterColour);
}

}  // namespace

std::string CornerReport::edge_svg() const {
  Svg svg(Svg::kWidth, 440);
  svg.text({32, 40}, "Across an edge of the kinetic metric", "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
  const double incidence = std::atan2(-corner.before.y(), corner.before.x()) * 180 / std::numbers::pi;
  svg.text({32, 62}, fmt::format("contact {}, met at {:.4g}° to its surface", problem.contacts()[0].name, incidence),
           "fill=\"#555555\"");
  const std::array<double, 3> bends = {0, kBentAngle, kBentOver};
  const std::array<std::string, 3> titles = {"flat: the sheet unfolded", fmt::format("bent by {}°", kBentAngle),
                                             "bent over by 180°: the impact"};
  for (std::size_t i = 0; i < bends.size(); ++i)
    draw_sheet(svg, corner, 32 + static_cast<double>(i) * (kSheetSide + 20), bends[i], titles[i]);
  const double y = kSheetTop + kSheetSide + 30;
  svg.circle({38, y - 4.5}, 5, fmt::format("fill=\"{}\"", kBeforeColour));
  svg.text({52, y}, "before", "fill=\"#333333\"");
  svg.circle({138, y - 4.5}, 5, fmt::format("fill=\"{}\"", kAfterColour));
  svg.text({152, y}, fmt::format("after: T+/T- = {}", number(corner.ways[0].energy_ratio, 1)), "fill=\"#333333\"");
  svg.text({32, y + 26},
           corner.lossless ? "straight on where it is flat, whatever the bend: at an edge one answer is natural"
                           : "with losses (e < 1) the line bends at the edge even where the sheet is flat",
           "fill=\"#555555\" font-size=\"13\"");
  return svg.finish();
}

}  // namespace carom::record

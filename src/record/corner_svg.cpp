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
using analysis::CornerWay;
using CornerPoint = Eigen::Vector2d;

constexpr std::array<const char*, 2> kWayColour = {"#0072b2", "#d55e00"};
constexpr double kPanelSide = 384, kPanelTop = 112, kRadiusShown = 1, kOffset = 0.14, kLeastOffset = 0.05;
constexpr std::size_t kNumbered = 12;  // hits that get a number
constexpr std::size_t kDrawnHits = 400;

/// The plane of the corner in pixels; lengths are in parts of the radius that is shown.
struct CornerPanel {
  double left;
  CornerPoint origin;  // [pixels]
  double unit;         // [pixels]

  CornerPoint pixel(const CornerPoint& p) const { return {origin.x() + unit * p.x(), origin.y() - unit * p.y()}; }
};

/// Where a way starts: far out where the velocity comes from, beside the line into the corner, on the side of what is
/// hit first; or beside the corner, where the other surface is left behind already.
CornerPoint start_of(const Corner& corner, const CornerWay& way) {
  const CornerPoint v = corner.before.normalized();
  CornerPoint side(-v.y(), v.x());
  if (side.dot(corner.along[way.first]) < 0) side = -side;
  // so near that the last crossing is inside the picture, and inside a narrow corner
  const double alpha = std::acos(std::clamp(-v.dot(corner.along[way.first]), -1.0, 1.0));
  const double last = std::numbers::pi - alpha - (way.reflections - 1) * corner.angle;
  const double offset = std::min({std::max(kLeastOffset, 0.9 * std::sin(std::clamp(last, 0.0, std::numbers::pi / 2))),
                                  kOffset, 0.6 * kRadiusShown * std::tan(std::min(alpha, 1.5))});
  const CornerPoint from = -kRadiusShown * v + offset * side;
  if (std::min(corner.normal[0].dot(from), corner.normal[1].dot(from)) >= -1e-9) return from;
  return 0.5 * kRadiusShown * corner.along[1 - way.first];
}

std::vector<CornerPoint> broken_line(const Corner& corner, const CornerWay& way) {
  std::vector<CornerPoint> points = {start_of(corner, way)};
  for (std::size_t i = 0; i < std::min(way.hits.size(), kDrawnHits); ++i) {
    const CornerPoint &n = corner.normal[way.hits[i]], &v = way.velocities[i], &x = points.back();
    points.push_back(x - n.dot(x) / n.dot(v) * v);
  }
  if (way.hits.size() > kDrawnHits) return points;
  const CornerPoint v = way.velocities.back();
  if (v.norm() <= 1e-9 * corner.before.norm()) return points;
  // as far as the circle that is shown
  const CornerPoint d = v.normalized(), &x = points.back();
  const double along = x.dot(d), root = std::sqrt(std::max(0.0, along * along + 1.1 - x.squaredNorm()));
  points.push_back(x + std::max(0.1, root - along) * d);
  return points;
}

void draw_arrowhead(Svg& svg, const CornerPoint& from, const CornerPoint& to, const char* colour) {
  const CornerPoint d = (to - from).normalized(), across(-d.y(), d.x());
  svg.polygon({to, to - 11 * d + 4.5 * across, to - 11 * d - 4.5 * across}, fmt::format("fill=\"{}\"", colour));
}

void draw_way(Svg& svg, const CornerPanel& panel, const std::vector<CornerPoint>& points, std::size_t hits,
              const char* colour, double label_side) {
  std::vector<CornerPoint> pixels;
  for (const CornerPoint& p : points) pixels.push_back(panel.pixel(p));
  svg.polyline(pixels, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\"", colour));
  if (pixels.size() > 1) draw_arrowhead(svg, pixels[pixels.size() - 2], pixels.back(), colour);
  for (std::size_t i = 1; i <= std::min(hits, pixels.size() - 1); ++i) {
    svg.circle(pixels[i], hits > 30 ? 2 : 3.5,
               fmt::format("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.6\"", colour));
    if (hits <= kNumbered)
      svg.text(
          pixels[i] + CornerPoint(label_side * 9, 4), std::to_string(i),
          fmt::format("fill=\"{}\" font-size=\"11\" text-anchor=\"{}\"", colour, label_side > 0 ? "start" : "end"));
  }
}

void draw_sector(Svg& svg, const CornerPanel& panel, double from, double to, const char* style) {
  std::vector<CornerPoint> points = {panel.pixel(CornerPoint::Zero())};
  const int steps = std::max(2, static_cast<int>(std::ceil(std::abs(to - from) / 0.02)));
  for (int i = 0; i <= steps; ++i) {
    const double angle = from + (to - from) * i / steps;
    points.push_back(panel.pixel(1.05 * CornerPoint(std::cos(angle), std::sin(angle))));
  }
  svg.polygon(points, style);
}

void draw_panel_frame(Svg& svg, const CornerPanel& panel, const std::string& id, const std::string& title) {
  svg.raw(
      fmt::format("<clipPath id=\"{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{3}\"/></clipPath>\n"
                  "<rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{3}\" fill=\"#fbfcfd\" stroke=\"#cfd6dc\"/>\n",
                  id, panel.left, kPanelTop, kPanelSide));
  svg.text({panel.left, kPanelTop - 10}, title, "fill=\"#333333\" font-weight=\"bold\" font-size=\"13\"");
}

double polar(const CornerPoint& direction) {
  return std::atan2(direction.y(), direction.x());
}

void draw_surfaces(Svg& svg, const CornerPanel& panel, const CornerReport& report) {
  const Corner& corner = report.corner;
  for (int i = 0; i < 2; ++i) {
    const CornerPoint end = panel.pixel(1.05 * corner.along[i]);
    svg.line(panel.pixel(CornerPoint::Zero()), end, "stroke=\"#222222\" stroke-width=\"2.4\" stroke-linecap=\"round\"");
    std::string name = report.problem.contacts()[static_cast<std::size_t>(i)].name;
    if (width(name) > 16) name = name.substr(0, 14) + "..";
    const bool narrow = corner.angle < 1, right = i == 0;
    const double x = std::clamp(end.x() + (narrow ? (right ? 8 : -8) : 0), panel.left + 8, panel.left + kPanelSide - 8);
    svg.text({x, std::max(kPanelTop + 16, end.y() + (narrow ? 5 : -8))}, name,
             fmt::format("fill=\"#222222\" font-size=\"12\" text-anchor=\"{}\"", right == narrow ? "start" : "end"));
  }
}

/// The corner as it is.
void draw_folded(Svg& svg, const CornerReport& report) {
  const Corner& corner = report.corner;
  const bool narrow = corner.along[0].y() > 0;
  const CornerPanel panel{32,
                          {32 + kPanelSide / 2, kPanelTop + kPanelSide * (narrow ? 0.93 : 0.6)},
                          kPanelSide * (narrow ? std::min(0.8, 0.45 / corner.along[0].x()) : 0.45)};
  draw_panel_frame(svg, panel, "folded", "broken lines in the corner");
  svg.raw("<g clip-path=\"url(#folded)\">\n");
  draw_sector(svg, panel, polar(corner.along[0]), polar(corner.along[0]) + corner.angle, "fill=\"#e6edf3\"");
  draw_surfaces(svg, panel, report);
  for (const CornerWay& way : corner.ways)
    draw_way(svg, panel, broken_line(corner, way), way.hits.size(), kWayColour[way.first], way.first == 0 ? 1 : -1);
  svg.raw("</g>\n");
}

/// How many surfaces a way crosses on its side when it goes straight on.
double unfolded_angle(const Corner& corner, const CornerWay& way, int crossed) {
  const double first = polar(corner.along[way.first]);
  return way.first == 0 ? first - crossed * corner.angle : first + crossed * corner.angle;
}

void draw_unfolded(Svg& svg, const CornerReport& report) {
  const Corner& corner = report.corner;
  const double left = 32 + kPanelSide + 28;
  const CornerPanel panel{left, {left + kPanelSide / 2, kPanelTop + kPanelSide / 2}, kPanelSide * 0.44};
  draw_panel_frame(svg, panel, "unfolded",
                   corner.ways.size() == 1 ? "unfolded, it goes straight on" : "unfolded, both go straight on");
  svg.raw("<g clip-path=\"url(#unfolded)\">\n");
  const double fade = std::min(1.0, 6 * corner.angle);
  for (const CornerWay& way : corner.ways)
    for (int k = 0; k < way.reflections; ++k)
      draw_sector(svg, panel, unfolded_angle(corner, way, k), unfolded_angle(corner, way, k + 1),
                  fmt::format("fill=\"{}\" fill-opacity=\"{}\" stroke=\"#8a97a3\" stroke-width=\"{:.2f}\"",
                              kWayColour[way.first], k % 2 == 0 ? 0.13 : 0.05, fade)
                      .c_str());
  draw_sector(svg, panel, polar(corner.along[0]), polar(corner.along[0]) + corner.angle, "fill=\"#e6edf3\"");
  draw_surfaces(svg, panel, report);
  for (const CornerWay& way : corner.ways) {
    const CornerPoint v = corner.before.normalized(), from = start_of(corner, way);
    std::vector<CornerPoint> points = {from};
    for (int k = 0; k < way.reflections && k < static_cast<int>(kDrawnHits); ++k) {
      const double angle = unfolded_angle(corner, way, k);
      const CornerPoint n(-std::sin(angle), std::cos(angle));
      points.push_back(from - n.dot(from) / n.dot(v) * v);
    }
    points.push_back(from + (1.05 - v.dot(from)) * v);
    draw_way(svg, panel, points, static_cast<std::size_t>(way.reflections), kWayColour[way.first],
             way.first == 0 ? 1 : -1);
  }
  svg.raw("</g>\n");
}

}  // namespace

std::string CornerReport::svg() const {
  return corner.is_edge ? edge_svg() : corner_svg();
}

std::string CornerReport::corner_svg() const {
  Svg svg(Svg::kWidth, 620);
  svg.text({32, 40}, "Through a corner of the kinetic metric",
           "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
  svg.text({32, 62},
           fmt::format("an angle of {:.4g}°, which goes into 180° {:.4g} times", corner.angle * 180 / std::numbers::pi,
                       std::numbers::pi / corner.angle),
           "fill=\"#555555\"");
  draw_folded(svg, *this);
  if (corner.lossless)
    draw_unfolded(svg, *this);
  else
    svg.text({32 + kPanelSide + 28, kPanelTop + 24}, "with losses (e < 1) nothing unfolds into a straight line",
             "fill=\"#555555\" font-size=\"13\"");
  double y = kPanelTop + kPanelSide + 30;
  for (const CornerWay& way : corner.ways) {
    svg.circle({38, y - 4.5}, 5, fmt::format("fill=\"{}\"", kWayColour[way.first]));
    const std::string count = way.at_rest ? "impacts without end"
                              : way.ends  ? fmt::format("{} impact{}", way.hits.size(), way.hits.size() == 1 ? "" : "s")
                                          : fmt::format("more than {} impacts", way.hits.size());
    svg.text({52, y}, fmt::format("{} first: {}", problem.contacts()[static_cast<std::size_t>(way.first)].name, count),
             "fill=\"#333333\"");
    y += 22;
  }
  svg.text({52, y},
           corner.ways.size() == 1 ? "the other contact does not close: one order only"
           : corner.is_decided()   ? "both leave with the same velocity: the corner has one answer"
                                   : "they leave in different directions: at the corner itself no answer is natural",
           "fill=\"#555555\" font-size=\"13\"");
  return svg.finish();
}

}  // namespace carom::record

#include "carom/record/block_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "carom/record/curve.h"
#include "carom/record/svg.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

using analysis::Interval;
using analysis::RockingBlock;
using BlockPoint = Svg::Point;

constexpr double kPanelWidth = 360, kPanelHeight = 260, kFirstPanel = 116, kPanelColumn = 428, kPanelRow = 364;
constexpr double kTick = 7;  // [px], longer than what marks this block reaches over the edge
constexpr double kTitleAbove = 12, kTitleAboveKey = 32;  // [px]
constexpr int kCurve = 400;                              // points of a curve
constexpr std::size_t kMostFrictions = 6;
constexpr const char *kRocks = "#56a3d6", *kHalfRocks = "#e69f00", *kSticks = "#009e73", *kThisBlock = "#111111",
                     *kBoundary = "#c1440e";

/// A panel with its axes.
struct BlockPanel {
  double left, top, x_most, y_least, y_most;

  BlockPoint at(double x, double y) const {
    return {left + kPanelWidth * x / x_most, top + kPanelHeight * (y_most - y) / (y_most - y_least)};
  }
};

BlockPanel panel_at(std::size_t number, double x_most, double y_least, double y_most) {
  return {56 + kPanelColumn * static_cast<double>(number % 2),
          kFirstPanel + kPanelRow * static_cast<double>(number / 2), x_most, y_least, y_most};
}

void draw_block_axes(Svg& svg, const BlockPanel& panel, const std::string& title, const char* x_name,
                     const char* y_name, double title_above) {
  svg.text({panel.left, panel.top - title_above}, title, "fill=\"#222222\" font-weight=\"bold\" font-size=\"13\"");
  svg.raw(fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#9aa5ae\"/>\n",
                      panel.left, panel.top, kPanelWidth, kPanelHeight));
  const double x_step = Axis(panel.x_most, "", 6).step;
  const auto tick = [&](const BlockPoint& at, const BlockPoint& outwards) {
    svg.line(at, at + outwards, "stroke=\"#9aa5ae\"");
  };
  for (double x = 0; x <= panel.x_most * (1 + 1e-9); x += x_step) {
    const BlockPoint at = panel.at(x, panel.y_least);
    tick(at, {0, kTick});
    svg.text(at + BlockPoint(0, 22), fmt::format("{:.4g}", x),
             "fill=\"#555555\" font-size=\"11\" text-anchor=\"middle\"");
  }
  for (double y = panel.y_least; y <= panel.y_most + 1e-9; y += 0.5) {
    const BlockPoint at = panel.at(0, y);
    tick(at, {-kTick, 0});
    svg.text(at + BlockPoint(-kTick - 5, 4), fmt::format("{}{:.3g}", y < 0 ? "−" : "", std::abs(y)),
             "fill=\"#555555\" font-size=\"11\" text-anchor=\"end\"");
  }
  svg.text(panel.at(panel.x_most / 2, panel.y_least) + BlockPoint(0, 40), x_name,
           "fill=\"#333333\" font-size=\"12\" text-anchor=\"middle\"");
  const BlockPoint middle = panel.at(0, (panel.y_least + panel.y_most) / 2) + BlockPoint(-43, 0);
  svg.raw(
      fmt::format("<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\" fill=\"#333333\" "
                  "font-size=\"12\">{}</text>\n",
                  middle.x(), middle.y(), y_name));
}

/// Names and colours in a row above a panel; without a colour, the circle that marks this block.
void draw_block_key(Svg& svg, const BlockPanel& panel,
                    const std::vector<std::pair<const char*, const char*>>& entries) {
  constexpr double kLetter = 5.4;
  double x = panel.left;
  for (const auto& [name, colour] : entries) {
    svg.circle({x + 5, panel.top - 14}, 4.5,
               *colour == 0 ? fmt::format("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"2\"", kThisBlock)
                            : fmt::format("fill=\"{}\"", colour));
    svg.text({x + 14, panel.top - 10}, name, "fill=\"#333333\" font-size=\"11\"");
    x += 28 + kLetter * static_cast<double>(width(name));
  }
}

/// The region between two curves over slenderness, where the lower one is below.
template <class Allowed>
void draw_region(Svg& svg, const BlockPanel& panel, const Allowed& allowed, const char* colour, double opacity) {
  std::vector<BlockPoint> lower, upper;
  const auto flush = [&] {
    std::reverse(upper.begin(), upper.end());
    lower.insert(lower.end(), upper.begin(), upper.end());
    if (lower.size() > 3)
      svg.polygon(lower, fmt::format("fill=\"{0}\" fill-opacity=\"{1}\" stroke=\"{0}\" stroke-width=\"1.2\" "
                                     "stroke-linejoin=\"round\"",
                                     colour, opacity));
    lower.clear();
    upper.clear();
  };
  for (int i = 1; i <= kCurve; ++i) {
    const double s = panel.x_most * i / kCurve;
    const Interval interval = allowed(RockingBlock(1, s, 1));
    if (interval.empty()) {
      flush();
      continue;
    }
    lower.push_back(panel.at(s, interval.least));
    upper.push_back(panel.at(s, interval.largest));
  }
  flush();
}

template <class Value>
void draw_boundary(Svg& svg, const BlockPanel& panel, const Value& value) {
  std::vector<BlockPoint> points;
  for (int i = 1; i <= kCurve; ++i) {
    const double s = panel.x_most * i / kCurve;
    points.push_back(panel.at(s, value(RockingBlock(1, s, 1))));
  }
  svg.polyline(points, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"", kBoundary));
}

void draw_critical(Svg& svg, const BlockPanel& panel, double s, const char* name) {
  svg.line(panel.at(s, panel.y_least), panel.at(s, panel.y_most),
           "stroke=\"#8a97a3\" stroke-width=\"1\" stroke-dasharray=\"4 4\"");
  svg.text(panel.at(s, panel.y_most) + BlockPoint(4, 13), name, "fill=\"#5b6770\" font-size=\"11\"");
}

void draw_this_block(Svg& svg, const BlockPanel& panel, const RockingBlock& block,
                     const std::vector<Interval>& allowed) {
  const double s = block.height() / block.width();
  svg.line(panel.at(s, panel.y_least), panel.at(s, panel.y_most),
           fmt::format("stroke=\"{}\" stroke-width=\"1\" stroke-dasharray=\"1 3\"", kThisBlock));
  for (const Interval& interval : allowed) {
    if (interval.empty()) continue;
    svg.line(panel.at(s, interval.least), panel.at(s, interval.largest),
             fmt::format("stroke=\"{}\" stroke-width=\"4\" stroke-linecap=\"round\"", kThisBlock));
  }
}

void block_label(Svg& svg, const BlockPanel& panel, double x, double y, const char* text,
                 const char* colour = "#222222") {
  svg.text(panel.at(x, y), text, fmt::format("fill=\"{}\" font-size=\"12\" text-anchor=\"middle\"", colour));
}

/// r over slenderness without friction, or with corners that stick.                                 [figures 4 and 5]
void draw_ratios(Svg& svg, const RockingBlock& block, double x_most, bool sticking) {
  const BlockPanel panel = panel_at(sticking ? 1 : 0, x_most, -1, 1);
  const auto rocking = [&](const RockingBlock& one) { return sticking ? one.r_sticking() : one.r_sliding(); };
  draw_region(svg, panel, rocking, kRocks, 0.4);
  std::vector<Interval> allowed = {rocking(block)};
  if (!sticking) {
    draw_region(
        svg, panel, [](const RockingBlock& one) { return one.r_half_rocking(); }, kHalfRocks, 0.3);
    allowed.push_back(block.r_half_rocking());
  }
  draw_critical(svg, panel, sticking ? 1 / std::sqrt(2.0) : std::sqrt(2.0), sticking ? "l = L/√2" : "l = √2 L");
  draw_boundary(svg, panel,
                [&](const RockingBlock& one) { return sticking ? one.housner_ratio() : one.sliding_ratio(); });
  svg.line(panel.at(0, 0), panel.at(x_most, 0), "stroke=\"#9aa5ae\" stroke-width=\"1\"");
  draw_this_block(svg, panel, block, allowed);
  const double s = block.height() / block.width(), r = sticking ? block.housner_ratio() : block.sliding_ratio();
  svg.circle(panel.at(s, r), 5, fmt::format("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"2.2\"", kThisBlock));
  const bool regions_are_wide = x_most < 12;  // else what is flatter than 2 is a line at the edge
  if (regions_are_wide) block_label(svg, panel, 0.12 * x_most, -0.7, "rocks");
  if (sticking) block_label(svg, panel, 0.7 * x_most, 0.5, "no rocking", "#5b6770");
  block_label(svg, panel, 0.76 * x_most, sticking ? -0.35 : 0.35, "A would pull", "#5b6770");
  if (!sticking && regions_are_wide) block_label(svg, panel, std::min(0.7, 0.35 * x_most), 0.72, "half-rocks");
  draw_block_axes(svg, panel, sticking ? "corners stick: Housner's ratio" : "corners slide", "slenderness l/L",
                  "r, θ'⁺ = −r θ'⁻", kTitleAbove);
}

/// e21 over slenderness with friction.                                                         [section 3.6]
void draw_friction(Svg& svg, const RockingBlock& block, double x_most, double mu, std::size_t number) {
  const BlockPanel panel = panel_at(number, x_most, 0, 1);
  draw_region(
      svg, panel, [&](const RockingBlock& one) { return one.friction(mu).left; }, kHalfRocks, 0.22);
  draw_region(
      svg, panel, [&](const RockingBlock& one) { return one.friction(mu).right; }, kRocks, 0.4);
  draw_region(
      svg, panel, [&](const RockingBlock& one) { return one.friction(mu).sticking; }, kSticks, 0.4);
  const analysis::BlockFriction found = block.friction(mu);
  draw_this_block(svg, panel, block, {});
  const double s = block.height() / block.width();
  // beside each other, and all inside, however flat the block is
  double shift = std::max(-6.0, panel.left + 4 - panel.at(s, 0).x());
  for (const auto& [interval, colour] :
       {std::pair(found.left, kHalfRocks), std::pair(found.right, "#2f7fb8"), std::pair(found.sticking, "#00735a")}) {
    if (!interval.empty())
      svg.line(panel.at(s, interval.least) + BlockPoint(shift, 0), panel.at(s, interval.largest) + BlockPoint(shift, 0),
               fmt::format("stroke=\"{}\" stroke-width=\"4\" stroke-linecap=\"round\"", colour));
    shift += 6;
  }
  draw_block_key(svg, panel, {{"sticks", kSticks}, {"slips to the right", kRocks}, {"slips to the left", kHalfRocks}});
  draw_block_axes(svg, panel, fmt::format("rocks with friction, μ = {:.3g}", mu), "slenderness l/L",
                  "e₂₁, θ'⁺ = e₂₁ θ'⁻", kTitleAboveKey);
}

/// The part of a convex polygon with n . x >= bound.
std::vector<BlockPoint> cut_by(const std::vector<BlockPoint>& polygon, const BlockPoint& n, double bound) {
  std::vector<BlockPoint> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const BlockPoint &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double at_a = n.dot(a) - bound, at_b = n.dot(b) - bound;
    if (at_a >= 0) kept.push_back(a);
    if ((at_a >= 0) != (at_b >= 0)) kept.push_back(a + at_a / (at_a - at_b) * (b - a));
  }
  return kept;
}

/// (e1, e21) of this block without friction, with c the kinetic cosine of its corners: the ellipse
///   e1^2 - 2 c e1 e21 + e21^2 <= 1,   e1, e21 >= 0,   e21 >= c (1 + e1),   1 + e1 >= c e21.               [(47)]
void draw_coefficients(Svg& svg, const RockingBlock& block, std::size_t number) {
  const double c = block.kinetic_cosine(),
               most = std::max(1.15, 1.1 / std::sqrt(1 - std::max(0.0, c) * std::max(0.0, c)));
  const double shown = std::min(most, 4.0);
  const BlockPanel panel = panel_at(number, shown * kPanelWidth / kPanelHeight, 0, shown);
  std::vector<BlockPoint> ellipse;
  for (int i = 0; i < kCurve; ++i) {
    // along the axes e1 = e21 and e1 = -e21 the form is 1 - c and 1 + c
    const double angle = 2 * std::numbers::pi * i / kCurve, p = std::cos(angle) / std::sqrt(2 * (1 - c)),
                 q = std::sin(angle) / std::sqrt(2 * (1 + c));
    ellipse.emplace_back(p + q, p - q);
  }
  std::vector<BlockPoint> opening = cut_by(cut_by(ellipse, {1, 0}, 0), {0, 1}, 0);
  opening = cut_by(cut_by(opening, {-1, 0}, -panel.x_most), {0, -1}, -shown);
  const std::vector<BlockPoint> allowed = cut_by(cut_by(opening, {-c, 1}, c), {1, -c}, -1);
  const auto draw = [&](const std::vector<BlockPoint>& points, const std::string& style) {
    std::vector<BlockPoint> pixels;
    for (const BlockPoint& p : points) pixels.push_back(panel.at(p.x(), p.y()));
    if (pixels.size() > 2) svg.polygon(pixels, style);
  };
  draw(opening, "fill=\"#eef1f4\" stroke=\"#8a97a3\" stroke-width=\"1\"");
  draw(allowed, fmt::format("fill=\"{0}\" fill-opacity=\"0.4\" stroke=\"{0}\" stroke-width=\"1.2\"", kSticks));
  const Interval rocks = block.e21_sliding(), half = block.r_half_rocking();
  const auto thick = [&](const BlockPoint& a, const BlockPoint& b, const char* colour) {
    svg.line(panel.at(a.x(), a.y()), panel.at(b.x(), b.y()),
             fmt::format("stroke=\"{}\" stroke-width=\"5\" stroke-linecap=\"round\"", colour));
  };
  if (!rocks.empty()) thick({0, rocks.least}, {0, rocks.largest}, "#2f7fb8");
  if (!half.empty()) thick({half.least, 0}, {half.largest, 0}, kHalfRocks);
  const double line_end = c > 0 ? std::min(panel.x_most, shown / c - 1) : c == 0 ? panel.x_most : 0;
  if (line_end > 0)
    svg.line(panel.at(0, c), panel.at(line_end, c * (1 + line_end)),
             fmt::format("stroke=\"{}\" stroke-width=\"1.6\" stroke-dasharray=\"6 4\"", kBoundary));
  svg.circle(panel.at(0, std::max(0.0, c)), 5,
             fmt::format("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"2.2\"", kThisBlock));
  draw_block_key(svg, panel,
                 {{"allowed", kSticks},
                  {"rocks", "#2f7fb8"},
                  {"half-rocks", kHalfRocks},
                  {"A would pull", "#c9d0d6"},
                  {"loses most", ""}});
  draw_block_axes(svg, panel, "this block: what each corner does, sliding", "e₁, B rebounds", "e₂₁, A lifts off",
                  kTitleAboveKey);
}

}  // namespace

std::string block_svg(const RockingBlock& block, const std::vector<double>& mu) {
  if (mu.size() > kMostFrictions)
    throw InputError("mu",
                     fmt::format("{} friction coefficients; a picture has room for {}", mu.size(), kMostFrictions));
  const double s = block.height() / block.width(), x_most = std::max(4.0, 1.25 * s);
  const std::size_t panels = 3 + mu.size(), rows = (panels + 1) / 2;
  Svg svg(900, kFirstPanel + kPanelRow * static_cast<double>(rows) - 24);
  svg.text({32, 40}, "Which impacts a rocking block may have",
           "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
  svg.text({32, 62},
           fmt::format("It turns about corner A and hits the ground with B. Black: this block, l/L = {:.4g}; "
                       "circle: only B acts",
                       s),
           "fill=\"#555555\"");
  draw_ratios(svg, block, x_most, false);
  draw_ratios(svg, block, x_most, true);
  draw_coefficients(svg, block, 2);
  for (std::size_t i = 0; i < mu.size(); ++i) draw_friction(svg, block, x_most, mu[i], 3 + i);
  return svg.finish();
}

}  // namespace carom::record

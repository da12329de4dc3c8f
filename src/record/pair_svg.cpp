#include "carom/record/pair_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/record/svg.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

using geometry::MovingBody;
using PairPoint = Svg::Point;

constexpr std::array<const char*, 2> kBodyFill = {"#cfe3f5", "#fbdcc0"}, kBodyLine = {"#0072b2", "#c25a00"};
constexpr int kDirections = 720;                  // of an outline
constexpr double kArrow = 46, kBesideArrow = 20;  // [pixels]
constexpr double kSmallGap = 0.08;                // of the view: a smaller gap gets a view of its own
constexpr double kLargeBody = 4;                  // times the smaller body: of a larger one only a part is shown
constexpr double kFarSide = 1e4;                  // of the view: as far as half-spaces are drawn
constexpr double kFlatToView = 1e-6;              // of a half-space's normal: less than this is along the view

/// The world as seen: x to the right, y upwards.
struct View {
  Vector3 right, up;

  PairPoint of(const Vector3& world) const { return {right.dot(world), up.dot(world)}; }
  Vector3 direction(double angle) const { return std::cos(angle) * right + std::sin(angle) * up; }
};

View view_of(const PairReport& report) {
  if (report.dimension != geometry::Dimension::space) return {Vector3::UnitX(), Vector3::UnitY()};
  const Vector3 n = report.pair.point.normal;
  const Vector3 across = Vector3::UnitZ().cross(n);
  if (across.norm() < 1e-6) return {Vector3::UnitX(), Vector3::UnitZ()};
  Vector3 right = across.normalized().cross(Vector3::UnitZ());  // the horizontal part of the normal
  if (right.dot(Vector3(1, 1e-3, 0)) < 0) right = -right;
  return {right, Vector3::UnitZ()};
}

struct Box2 {
  PairPoint low = PairPoint::Constant(1e300), high = PairPoint::Constant(-1e300);

  void take(const PairPoint& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  void take(const Box2& other) {
    take(other.low);
    take(other.high);
  }
  bool empty() const { return low.x() > high.x(); }
  double size() const { return (high - low).maxCoeff(); }
  PairPoint centre() const { return (low + high) / 2; }
};

/// Angles all around, closer to each other near that of the contact, where outlines are looked at closely.
std::vector<double> outline_angles(double contact) {
  std::vector<double> angles;
  for (int i = 0; i < kDirections; ++i) angles.push_back(2 * std::numbers::pi * i / kDirections);
  for (double step = 2 * std::numbers::pi / kDirections; step > 1e-9; step *= 0.8)
    for (const double side : {-1.0, 1.0}) angles.push_back(contact + side * step);
  angles.push_back(contact);
  for (double& angle : angles) angle -= 2 * std::numbers::pi * std::floor(angle / (2 * std::numbers::pi));
  std::sort(angles.begin(), angles.end());
  return angles;
}

/// The outline of a part as it is seen; of a half-space its edge, `far` [m] to each side. Empty: it fills the view.
std::vector<PairPoint> outline_of(const View& view, const geometry::Part& part, const Pose& body, double contact,
                                  double far) {
  const Pose pose = body * part.pose;
  std::vector<PairPoint> points;
  if (const auto normal = geometry::endless_normal(part.shape)) {
    const PairPoint n = view.of(pose.orientation * *normal), at = view.of(pose.position);
    if (n.norm() < 1 - kFlatToView) return {};
    const PairPoint along(-n.y(), n.x());
    return {at - far * along, at + far * along, at + far * along - far * n, at - far * along - far * n};
  }
  for (const double angle : outline_angles(contact))
    points.push_back(
        view.of(pose.to_world(support_point(part.shape, pose.orientation.conjugate() * view.direction(angle)))));
  return points;
}

Box2 bounds_of(const View& view, const MovingBody& body) {
  Box2 box;
  for (const geometry::Part& part : body.parts)
    if (std::isfinite(geometry::reach(part.shape)))
      for (const PairPoint& p : outline_of(view, part, body.pose, 0, 0)) box.take(p);
  return box;
}

/// What of the world is shown where: a square around a centre.
struct Window {
  PairPoint centre;
  double half = 1;                       // [m] half of the square's side
  double left = 0, top = 0, side = 100;  // [pixels]

  PairPoint pixel(const PairPoint& p) const {
    const double scale = side / (2 * half);
    return {left + side / 2 + scale * (p.x() - centre.x()), top + side / 2 - scale * (p.y() - centre.y())};
  }
  PairPoint inside(const PairPoint& pixel, double margin) const {
    return {std::clamp(pixel.x(), left + margin, left + side - margin),
            std::clamp(pixel.y(), top + margin, top + side - margin)};
  }
};

/// Both bodies; but next to a large one, the smaller one and what is near it.
Window whole_view(const View& view, const PairReport& report) {
  const std::array<Box2, 2> boxes = {bounds_of(view, report.bodies[0]), bounds_of(view, report.bodies[1])};
  Box2 near;
  near.take(view.of(report.pair.point.point_a));
  near.take(view.of(report.pair.point.point_b));
  double smaller = 1e300;
  for (const Box2& box : boxes)
    if (!box.empty()) smaller = std::min(smaller, std::max(box.size(), near.size()));
  for (const Box2& box : boxes)
    if (!box.empty() && box.size() <= kLargeBody * smaller) near.take(box);
  const double half = near.size() > 0 ? 0.62 * near.size() : 1;
  return {near.centre(), half, 32, 84, 520};
}

void draw_window(Svg& svg, const Window& window, const std::string& id) {
  svg.raw(
      fmt::format("<clipPath id=\"{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{3}\"/></clipPath>\n"
                  "<rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{3}\" fill=\"#fbfcfd\" stroke=\"#cfd6dc\"/>\n",
                  id, window.left, window.top, window.side));
}

/// The part of a convex polygon inside a slightly larger window, so that nothing far away is written.
std::vector<PairPoint> near_window(std::vector<PairPoint> polygon, const Window& window) {
  for (int side = 0; side < 4; ++side) {
    const PairPoint n = side == 0   ? PairPoint(1, 0)
                        : side == 1 ? PairPoint(-1, 0)
                        : side == 2 ? PairPoint(0, 1)
                                    : PairPoint(0, -1);
    const PairPoint through = window.centre - 1.1 * window.half * n;
    std::vector<PairPoint> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const PairPoint &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
      const double at_a = n.dot(a - through), at_b = n.dot(b - through);
      if (at_a >= 0) kept.push_back(a);
      if ((at_a >= 0) != (at_b >= 0)) kept.push_back(a + at_a / (at_a - at_b) * (b - a));
    }
    polygon = std::move(kept);
  }
  return polygon;
}

void draw_bodies(Svg& svg, const View& view, const Window& window, const PairReport& report, const std::string& id) {
  svg.raw(fmt::format("<g clip-path=\"url(#{})\">\n", id));
  const PairPoint n = view.of(report.pair.point.normal);
  for (std::size_t i = 0; i < 2; ++i) {
    const double contact = std::atan2(n.y(), n.x()) + (i == 0 ? 0 : std::numbers::pi);
    for (const geometry::Part& part : report.bodies[i].parts) {
      std::vector<PairPoint> pixels;
      const auto shown =
          near_window(outline_of(view, part, report.bodies[i].pose, contact, kFarSide * window.half), window);
      for (const PairPoint& p : shown) pixels.push_back(window.pixel(p));
      if (pixels.size() > 2)
        svg.polygon(pixels, fmt::format("fill=\"{}\" fill-opacity=\"0.75\" stroke=\"{}\" stroke-width=\"1.6\" "
                                        "stroke-linejoin=\"round\"",
                                        kBodyFill[i], kBodyLine[i]));
    }
  }
  svg.raw("</g>\n");
}

/// Where a body's name stands: the middle of what is seen of it.
PairPoint label_place(const View& view, const Window& window, const MovingBody& body,
                      const geometry::ContactPoint& touch) {
  Box2 seen;
  for (const geometry::Part& part : body.parts)
    for (const PairPoint& p : near_window(outline_of(view, part, body.pose, 0, kFarSide * window.half), window))
      seen.take(window.inside(window.pixel(p), 0));
  const PairPoint from = window.pixel(view.of(touch.point_a)), n = view.of(touch.normal), along(n.x(), -n.y());
  PairPoint place = seen.empty() ? from : window.inside(seen.centre(), 16);
  const double length = (window.pixel(view.of(touch.point_b)) - from).norm() + kArrow;
  const PairPoint nearest = from + std::clamp(along.dot(place - from), 0.0, length) * along;
  if ((place - nearest).norm() < kBesideArrow) place.x() += 4 * kBesideArrow;
  return window.inside(place, 16);
}

void draw_arrow(Svg& svg, const PairPoint& from, const PairPoint& direction, double length) {
  const PairPoint to = from + length * direction, across(-direction.y(), direction.x());
  svg.line(from, to - 6 * direction, "stroke=\"#111111\" stroke-width=\"2\"");
  svg.polygon({to, to - 10 * direction + 4 * across, to - 10 * direction - 4 * across}, "fill=\"#111111\"");
}

/// Gap, points and normal.
void draw_nearest(Svg& svg, const View& view, const Window& window, const PairReport& report) {
  const geometry::ContactPoint& point = report.pair.point;
  for (const geometry::ContactPoint& other : report.pair.as_near) {
    svg.line(window.pixel(view.of(other.point_a)), window.pixel(view.of(other.point_b)),
             "stroke=\"#111111\" stroke-width=\"1.4\" stroke-dasharray=\"3 3\"");
    svg.circle(window.pixel(view.of(other.point_a)), 3,
               fmt::format("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.5\"", kBodyLine[0]));
    svg.circle(window.pixel(view.of(other.point_b)), 3,
               fmt::format("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.5\"", kBodyLine[1]));
  }
  const PairPoint a = window.pixel(view.of(point.point_a)), b = window.pixel(view.of(point.point_b));
  const PairPoint n = view.of(point.normal), on_screen(n.x(), -n.y());
  const double length = std::max(kArrow, (b - a).norm() + (point.gap > 0 ? 34 : 0));
  draw_arrow(svg, a, on_screen, length);
  svg.text(a + length * on_screen + PairPoint(8, on_screen.y() > 0.5 ? 14 : 4), "n",
           "fill=\"#111111\" font-style=\"italic\"");
  svg.circle(a, 4.5, fmt::format("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"1.5\"", kBodyLine[0]));
  svg.circle(b, 4.5, fmt::format("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"1.5\"", kBodyLine[1]));
}

void draw_scale(Svg& svg, const Window& window) {
  const double rough = 0.5 * window.half, power = std::pow(10, std::floor(std::log10(rough)));
  const double length = rough >= 5 * power ? 5 * power : rough >= 2 * power ? 2 * power : power;
  const Unit unit = readable_unit(length, "m");
  const double pixels = length * window.side / (2 * window.half), y = window.top + window.side - 12,
               x = window.left + 12;
  svg.line({x, y}, {x + pixels, y}, "stroke=\"#333333\" stroke-width=\"2\"");
  for (const double end : {x, x + pixels})
    svg.line({end, y - 4}, {end, y + 4}, "stroke=\"#333333\" stroke-width=\"2\"");
  svg.text({x + pixels + 8, y + 4}, fmt::format("{:.3g} {}", length / unit.factor, unit.name),
           "fill=\"#333333\" font-size=\"12\"");
}

std::string length_words(double length) {
  const Unit unit = readable_unit(std::abs(length), "m");
  return fmt::format("{:.4g} {}", length / unit.factor, unit.name);
}

std::string radius_words_of(double curvature) {
  return !std::isfinite(curvature) ? "edge" : curvature > 0 ? length_words(1 / curvature) : "flat";
}

/// Facts in a column.
void draw_facts(Svg& svg, const PairReport& report, double top) {
  double y = top;
  const auto line = [&](const std::string& text, const char* style) {
    svg.text({576, y}, text, style);
    y += 20;
  };
  const double gap = report.pair.point.gap;
  line(report.touches() ? "touching" : (gap > 0 ? "distance " : "depth ") + length_words(std::abs(gap)),
       "fill=\"#111111\" font-weight=\"bold\"");
  for (std::size_t i = 0; i < 2; ++i) {
    const geometry::Curvature& k = i == 0 ? report.pair.curvature_a : report.pair.curvature_b;
    const bool one = k.most == k.least || report.dimension != geometry::Dimension::space;
    const std::string radii =
        one ? radius_words_of(k.most) : radius_words_of(k.most) + " and " + radius_words_of(k.least);
    svg.circle({581, y - 4}, 5, fmt::format("fill=\"{}\" stroke=\"{}\"", kBodyFill[i], kBodyLine[i]));
    svg.text({594, y}, (std::isfinite(k.most) && k.most > 0 ? (one ? "radius " : "radii ") : "") + radii,
             "fill=\"#333333\" font-size=\"13\"");
    y += 20;
  }
  if (!report.pair.is_unique())
    line(fmt::format("{} pairs of points are as near", report.pair.as_near.size()),
         "fill=\"#333333\" font-size=\"13\"");
  if (report.pair.gap_rate != 0)
    line(fmt::format("gap velocity {:.4g} m/s", report.pair.gap_rate), "fill=\"#333333\" font-size=\"13\"");
}

}  // namespace

std::string pair_svg(const PairReport& report) {
  const View view = view_of(report);
  const Window whole = whole_view(view, report);
  const double gap = report.pair.point.gap;
  Svg svg;
  svg.text({32, 40}, fmt::format("{} and {}", report.names[0], report.names[1]),
           "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
  svg.text(
      {32, 62},
      fmt::format("{}{}", report.t ? fmt::format("t = {:.6g} s, ", *report.t) : "",
                  report.dimension == geometry::Dimension::space ? "seen across the normal; the gap has its true length"
                                                                 : "nearest points and the normal"),
      "fill=\"#555555\"");
  draw_window(svg, whole, "whole");
  draw_bodies(svg, view, whole, report, "whole");
  draw_nearest(svg, view, whole, report);
  for (std::size_t i = 0; i < 2; ++i)
    svg.text(label_place(view, whole, report.bodies[i], report.pair.point), report.names[i],
             fmt::format("fill=\"{}\" font-weight=\"bold\" text-anchor=\"middle\"", kBodyLine[i]));
  draw_scale(svg, whole);
  double facts = 110;
  if (std::abs(gap) < kSmallGap * 2 * whole.half) {
    const double least = 0.02 * std::min(whole.half, report.pair.size);
    const Window close{view.of((report.pair.point.point_a + report.pair.point.point_b) / 2),
                       std::max(1.6 * std::abs(gap), report.touches() ? 2 * least : 1e-3 * least), 576, 84, 252};
    draw_window(svg, close, "close");
    draw_bodies(svg, view, close, report, "close");
    draw_nearest(svg, view, close, report);
    draw_scale(svg, close);
    facts = 372;
  }
  draw_facts(svg, report, facts);
  return svg.finish();
}

}  // namespace carom::record

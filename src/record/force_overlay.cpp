#include "carom/record/force_overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/record/curve.h"
#include "carom/record/short_names.h"
#include "carom/record/svg.h"
#include "carom/record/table.h"
#include "carom/record/xy_panel.h"

namespace carom::record {
namespace {

using Point = Svg::Point;

constexpr double kOverlayWidth = 900, kOverlayLeft = 84, kOverlayRight = 872;  // pixels
constexpr double kBetweenPanels = 40, kTitleHeight = 26;
constexpr std::size_t kMostPanels = 8, kPanelsInOneColumn = 3;
constexpr double kFadedForce = 0.003;  // of the largest
constexpr double kBarHeight = 0.6;     // of the largest force: how high the highest bar is

/// Colours that everybody can tell apart [Okabe, Ito 2008], and lines that differ without them.
struct LineStyle {
  const char *colour, *dashes;
};
constexpr std::array<LineStyle, 7> kLineStyles = {{{"#0072b2", ""},
                                                   {"#d55e00", "9 4"},
                                                   {"#009e73", "3 3"},
                                                   {"#cc79a7", "12 4 3 4"},
                                                   {"#000000", "6 2"},
                                                   {"#e69f00", "2 2"},
                                                   {"#56b4e9", "14 3"}}};

/// Further laws have the same colours with other lines.
LineStyle style_of(std::size_t law) {
  const std::size_t count = kLineStyles.size();
  return {kLineStyles[law % count].colour, kLineStyles[(law + law / count) % count].dashes};
}

/// Of a bar: the more there are over each other, the lighter each.
double opacity(std::size_t laws) {
  return 0.4 / (2 + static_cast<double>(laws));
}

std::string stroke_of(std::size_t law, double width, const char* fill = "none") {
  const LineStyle style = style_of(law);
  return fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"{:.3g}\" stroke-linejoin=\"round\"{}", fill,
                     style.colour, width, *style.dashes ? fmt::format(" stroke-dasharray=\"{}\"", style.dashes) : "");
}

bool is_shown(const ForceOverlay& overlay, double t) {
  return t >= overlay.begin && t <= overlay.end;
}

/// What is on the axes.
struct OverlayExtent {
  double lowest = 0, highest = 0;  // [N]
  double impulse = 0;              // [N s] the largest of instants
  bool has_forces = false;
};

OverlayExtent overlay_extent(const ForceOverlay& overlay) {
  OverlayExtent extent;
  for (const OverlayLaw& law : overlay.laws)
    for (const ContactCourse& course : law.contacts) {
      for (std::size_t i = 0; i < course.times.size(); ++i) {
        if (!is_shown(overlay, course.times[i])) continue;
        extent.lowest = std::min(extent.lowest, course.forces[i]);
        extent.highest = std::max(extent.highest, course.forces[i]);
      }
      for (const auto& [t, impulse] : course.instants)
        if (is_shown(overlay, t)) extent.impulse = std::max(extent.impulse, impulse);
    }
  extent.has_forces = extent.highest > 0;
  return extent;
}

bool acts(const ForceOverlay& overlay, std::size_t contact, const OverlayExtent& extent) {
  return std::any_of(overlay.laws.begin(), overlay.laws.end(), [&](const OverlayLaw& law) {
    const ContactCourse& course = law.contacts[contact];
    for (std::size_t i = 0; i < course.times.size(); ++i)
      if (is_shown(overlay, course.times[i]) && course.forces[i] > kFadedForce * extent.highest) return true;
    return std::any_of(course.instants.begin(), course.instants.end(), [&](const ContactCourse::Instant& one) {
      return is_shown(overlay, one.t) && one.impulse > kFadedForce * extent.impulse;
    });
  });
}

/// The contacts that get a panel, of those that act: all, or some from the first to the last.
std::vector<std::size_t> selected(const std::vector<std::size_t>& acting) {
  if (acting.size() <= kMostPanels) return acting;
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < kMostPanels; ++i) some.push_back(acting[i * (acting.size() - 1) / (kMostPanels - 1)]);
  return some;
}

/// Where the panels are.
struct PanelGrid {
  std::size_t panels = 0, columns = 1, rows = 1;
  double top = 0, height = 0;

  double width() const {
    return (kOverlayRight - kOverlayLeft - kBetweenPanels * static_cast<double>(columns - 1)) /
           static_cast<double>(columns);
  }
  Point upper_left(std::size_t i) const {
    return {kOverlayLeft + static_cast<double>(i % columns) * (width() + kBetweenPanels),
            top + kTitleHeight + static_cast<double>(i / columns) * (height + kTitleHeight + 16)};
  }
  Point lower_right(std::size_t i) const { return upper_left(i) + Point(width(), height); }
  bool is_lowest(std::size_t i) const { return i + columns >= panels; }
  double bottom() const { return lower_right((rows - 1) * columns).y(); }
};

PanelGrid panel_grid(std::size_t panels, double top) {
  PanelGrid grid;
  grid.panels = panels;
  grid.columns = panels <= kPanelsInOneColumn ? 1 : 2;
  grid.rows = (panels + grid.columns - 1) / grid.columns;
  grid.top = top;
  grid.height = panels == 1 ? 330 : panels <= kPanelsInOneColumn ? 180 : 128;
  return grid;
}

/// One panel being drawn.
class OverlayPanel {
 public:
  OverlayPanel(Svg& svg, const PanelGrid& grid, std::size_t place, const Axis& time, const ValueRange& value)
      : svg_(svg), a_(grid.upper_left(place)), b_(grid.lower_right(place)), time_(time), value_(value) {
    draw_frame(grid, place);
  }

  void title(const std::string& text) {
    svg_.text({a_.x(), a_.y() - 8}, text, "fill=\"#333333\" font-size=\"13\" font-weight=\"bold\"");
  }
  Point at(double t, double value) const {
    return {a_.x() + t / time_.end * (b_.x() - a_.x()),
            b_.y() - (value - value_.least) / (value_.largest - value_.least) * (b_.y() - a_.y())};
  }
  void line(const std::vector<double>& times, const std::vector<double>& values, const std::string& style) {
    std::vector<double> raised;
    for (const double value : values) raised.push_back(value - value_.least);
    const Point scale = at(1, value_.least + 1) - at(0, value_.least);
    svg_.polyline(curve(times, raised, at(0, value_.least), scale), style);
  }

 private:
  void draw_frame(const PanelGrid& grid, std::size_t place) {
    constexpr const char* kLine = "stroke=\"#e6e6e6\" stroke-width=\"1\"";
    for (int i = 0; i * time_.step <= time_.end * (1 + 1e-9); ++i) {
      const double x = at(i * time_.step, 0).x();
      svg_.line({x, a_.y()}, {x, b_.y()}, kLine);
      if (grid.is_lowest(place))
        svg_.text({x, b_.y() + 18}, time_.label(i * time_.step),
                  "fill=\"#666666\" font-size=\"12\" text-anchor=\"middle\"");
    }
    for (double k = std::ceil(value_.least / value_.step - 1e-9); k * value_.step <= value_.largest; ++k) {
      const double y = at(0, k * value_.step).y();
      svg_.line({a_.x(), y}, {b_.x(), y}, k == 0 ? "stroke=\"#333333\" stroke-width=\"1.25\"" : kLine);
      if (place % grid.columns == 0)
        svg_.text({a_.x() - 8, y + 4}, value_.label(k * value_.step),
                  "fill=\"#666666\" font-size=\"12\" text-anchor=\"end\"");
    }
  }

  Svg& svg_;
  Point a_, b_;
  Axis time_;
  ValueRange value_;
};

/// A piece of a course, in times from the beginning of the picture.
struct CoursePiece {
  std::vector<double> times, forces;
};

/// The parts of a course that are shown and where something acts, each with the zeros beside it.
std::vector<CoursePiece> pieces_of(const ForceOverlay& overlay, const ContactCourse& course, double largest) {
  constexpr double kNothing = 1e-5;  // of the largest force
  std::vector<CoursePiece> pieces;
  const std::size_t count = course.times.size();
  const auto acts_at = [&](std::size_t i) { return std::abs(course.forces[i]) > kNothing * largest; };
  bool open = false;
  for (std::size_t i = 0; i < count; ++i) {
    const bool near = acts_at(i) || (i > 0 && acts_at(i - 1)) || (i + 1 < count && acts_at(i + 1));
    if (!near || !is_shown(overlay, course.times[i])) {
      open = false;
      continue;
    }
    if (!open) pieces.emplace_back();
    open = true;
    pieces.back().times.push_back(course.times[i] - overlay.begin);
    pieces.back().forces.push_back(course.forces[i]);
  }
  return pieces;
}

/// Laws with forces are drawn from the widest line to the narrowest, so that those that coincide are all seen.
double width_of(std::size_t law, std::size_t laws) {
  return std::min(2 + 1.1 * static_cast<double>(laws - 1 - law), 5.0);
}

void draw_contact(Svg& svg, OverlayPanel& panel, const ForceOverlay& overlay, std::size_t contact, double bar,
                  double largest) {
  for (std::size_t i = 0; i < overlay.laws.size(); ++i) {
    const ContactCourse& course = overlay.laws[i].contacts[contact];
    for (const auto& [t, impulse] : course.instants) {
      if (!is_shown(overlay, t) || impulse <= 0) continue;
      const double begin = t - overlay.begin;
      if (bar > 0) {
        const double height = impulse / bar, end = std::min(begin + bar, overlay.end - overlay.begin);
        const std::vector<Point> corners = {panel.at(begin, 0), panel.at(begin, height), panel.at(end, height),
                                            panel.at(end, 0)};
        svg.polygon(corners, fmt::format("fill=\"{}\" fill-opacity=\"{:.3f}\"", style_of(i).colour,
                                         opacity(overlay.laws.size())));
        svg.polyline(corners, stroke_of(i, 1.6));
      } else {
        const double shift = 7 * (static_cast<double>(i) - 0.5 * static_cast<double>(overlay.laws.size() - 1));
        const Point foot = panel.at(begin, 0) + Point(shift, 0), head = panel.at(begin, impulse) + Point(shift, 0);
        svg.line(foot, head, stroke_of(i, 2));
        svg.circle(head, 3.5, fmt::format("fill=\"{}\"", style_of(i).colour));
      }
    }
  }
  for (std::size_t i = 0; i < overlay.laws.size(); ++i) {
    for (const CoursePiece& piece : pieces_of(overlay, overlay.laws[i].contacts[contact], largest))
      if (piece.times.size() > 1) panel.line(piece.times, piece.forces, stroke_of(i, width_of(i, overlay.laws.size())));
  }
}

bool has_course(const OverlayLaw& law) {
  return std::any_of(law.contacts.begin(), law.contacts.end(), [](const auto& one) { return !one.times.empty(); });
}

constexpr double kKeyTop = 88, kKeyLine = 22, kSample = 44;

std::string key_text(const OverlayLaw& law, bool bars) {
  return law.label + (bars && !has_course(law) ? " (area = impulse)" : "");
}

/// Where the entries of the key stand, one per law: beside each other as long as they fit.
std::vector<Point> key_places(const ForceOverlay& overlay, bool bars) {
  constexpr double kLetter = 7.4, kMargin = 28;
  std::vector<Point> places;
  Point next(kMargin, kKeyTop);
  for (const OverlayLaw& law : overlay.laws) {
    const double needed = kSample + kLetter * static_cast<double>(width(key_text(law, bars))) + 18;
    if (next.x() > kMargin && next.x() + needed > kOverlayRight) next = {kMargin, next.y() + kKeyLine};
    places.push_back(next);
    next.x() += needed;
  }
  return places;
}

void draw_key(Svg& svg, const ForceOverlay& overlay, bool bars, const std::vector<Point>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const OverlayLaw& law = overlay.laws[i];
    const double x = places[i].x(), y = places[i].y();
    if (has_course(law) || !bars)
      svg.line({x, y - 4}, {x + 36, y - 4}, stroke_of(i, width_of(i, overlay.laws.size())));
    else
      svg.polygon({{x, y - 11}, {x + 36, y - 11}, {x + 36, y + 2}, {x, y + 2}},
                  fmt::format("fill-opacity=\"0.12\" {}", stroke_of(i, 1.6, style_of(i).colour)));
    svg.text({x + kSample, y}, key_text(law, bars), "fill=\"#333333\" font-size=\"13\"");
  }
}

std::string axis_name(const std::string& what, const std::string& unit, bool relative) {
  return relative ? what + ", relative" : fmt::format("{} [{}]", what, unit);
}

/// What a reader has to know of the panels; empty: nothing.
std::string remark_of(const ForceOverlay& overlay, std::size_t shown, std::size_t acting, bool forces) {
  std::string text;
  if (shown < acting) text = fmt::format("{} of {} contacts are shown. ", shown, acting);
  if (!forces && overlay.laws.size() > 1) text += "Impulses of one instant stand side by side.";
  return text;
}

void draw_axis_names(Svg& svg, const ForceOverlay& overlay, const PanelGrid& grid, const Axis& time,
                     const ValueRange& value, bool forces) {
  constexpr const char* kName = "fill=\"#333333\" font-size=\"13\" font-weight=\"bold\"";
  const double middle = 0.5 * (grid.upper_left(0).y() + grid.bottom());
  svg.text({26, middle}, axis_name(forces ? "Force" : "Impulse", value.unit.name, overlay.relative),
           fmt::format("{} text-anchor=\"middle\" transform=\"rotate(-90 26 {:.1f})\"", kName, middle));
  const std::string from = overlay.begin > 0 ? fmt::format("Time after {} s", number(overlay.begin)) : "Time";
  svg.text({grid.lower_right(grid.panels - 1).x(), grid.bottom() + 40},
           axis_name(from, time.unit.name, overlay.relative), fmt::format("{} text-anchor=\"end\"", kName));
}

}  // namespace

void trim(ForceOverlay& overlay) {
  const OverlayExtent extent = overlay_extent(overlay);
  double last = overlay.begin;
  for (const OverlayLaw& law : overlay.laws)
    for (const ContactCourse& course : law.contacts) {
      for (std::size_t i = 0; i < course.times.size(); ++i)
        if (is_shown(overlay, course.times[i]) && course.forces[i] > kFadedForce * extent.highest)
          last = std::max(last, course.times[std::min(i + 1, course.times.size() - 1)]);
      for (const auto& [t, impulse] : course.instants)
        if (is_shown(overlay, t)) last = std::max(last, t);
    }
  if (last > overlay.begin) overlay.end = std::min(overlay.end, last + 0.02 * (last - overlay.begin));
}

std::string overlay_svg(const ForceOverlay& overlay) {
  const OverlayExtent extent = overlay_extent(overlay);
  std::vector<std::size_t> acting;
  for (std::size_t i = 0; i < overlay.contacts.size(); ++i)
    if (acts(overlay, i, extent)) acting.push_back(i);
  const std::vector<std::size_t> shown = selected(acting);
  const double span = overlay.end > overlay.begin ? overlay.end - overlay.begin : 1;
  const bool bars = extent.has_forces && extent.impulse > 0;
  const double bar = bars ? std::min(extent.impulse / (kBarHeight * extent.highest), 0.4 * span) : 0;
  const double top = extent.has_forces ? std::max(extent.highest, bars ? extent.impulse / bar : 0) : extent.impulse;

  const std::vector<Point> keys = key_places(overlay, bars);
  const PanelGrid grid =
      panel_grid(std::max<std::size_t>(shown.size(), 1), (keys.empty() ? kKeyTop : keys.back().y()) + 14);
  const std::string remark = remark_of(overlay, shown.size(), acting.size(), extent.has_forces);
  Svg svg(kOverlayWidth, grid.bottom() + (remark.empty() ? 58 : 78));
  svg.text({28, 38}, beginning_of(overlay.title, 74), "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
  svg.text({28, 60}, beginning_of(overlay.about, 124), "fill=\"#555555\" font-size=\"13\"");
  draw_key(svg, overlay, bars, keys);
  if (shown.empty()) {
    svg.text({28, grid.upper_left(0).y()}, "no contact presses in the time shown", "fill=\"#555555\"");
    return svg.finish();
  }
  const int intervals = grid.columns == 1 ? 8 : 5;
  const Axis time(span, "s", intervals);
  const ValueRange value(1.06 * extent.lowest, 1.06 * top, extent.has_forces ? "N" : "N s", grid.rows == 1 ? 6 : 4);
  std::vector<std::string> names;
  for (const std::size_t i : shown) names.push_back(overlay.contacts[i]);
  names = short_names(names, grid.columns == 1 ? 100 : 48);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    OverlayPanel panel(svg, grid, i, time, value);
    draw_contact(svg, panel, overlay, shown[i], bar, extent.highest);
    panel.title(names[i]);
  }
  draw_axis_names(svg, overlay, grid, time, value, extent.has_forces);
  if (!remark.empty()) svg.text({kOverlayLeft, grid.bottom() + 62}, remark, "fill=\"#666666\" font-size=\"12\"");
  return svg.finish();
}

}  // namespace carom::record

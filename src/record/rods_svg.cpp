#include "carom/record/rods_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/record/svg.h"
#include "carom/record/xy_panel.h"

namespace carom::record {
namespace {

using Point = Svg::Point;
using waves::Cell;
using waves::End;
using waves::WaveHistory;

constexpr double kDiagramLeft = 76, kDiagramRight = 640, kDiagramTop = 112, kDiagramBottom = 570;
constexpr double kLegendLeft = 676;
constexpr std::size_t kMostCells = 6000;  // of a picture; more are painted in rows
constexpr int kMostRows = 300;            // of such a painting
constexpr int kMostBands = 30000;         // rows times rods
constexpr int kShades = 48;               // colours that a row tells apart

/// From compression to tension.
constexpr std::array<std::array<int, 3>, 5> kStressRamp = {
    {{0x1b, 0x4f, 0x8f}, {0x7f, 0xae, 0xd6}, {0xf4, 0xf2, 0xec}, {0xec, 0x9a, 0x7b}, {0xa8, 0x2b, 0x2b}}};

/// From -1 to 1.
std::string stress_colour(double part) {
  const double scaled = (std::clamp(part, -1.0, 1.0) + 1) * 0.5 * (kStressRamp.size() - 1);
  const std::size_t i = std::min<std::size_t>(static_cast<std::size_t>(scaled), kStressRamp.size() - 2);
  const double rest = scaled - static_cast<double>(i);
  std::string colour = "#";
  for (int c = 0; c < 3; ++c)
    colour += fmt::format("{:02x}", static_cast<int>(std::lround(kStressRamp[i][c] +
                                                                 rest * (kStressRamp[i + 1][c] - kStressRamp[i][c]))));
  return colour;
}

/// The stresses and places that occur.
struct Extent {
  double left = INFINITY, right = -INFINITY;  // [m]
  double compression = 0, tension = 0;        // [Pa], the first is negative or zero

  void add(double x) {
    left = std::min(left, x);
    right = std::max(right, x);
  }
  double strongest() const { return std::max(-compression, tension); }
};

/// Times at which a painting looks at the rods.
int rows_of(const WaveHistory& history) {
  constexpr int kLeastRows = 40;
  return std::clamp(kMostBands / static_cast<int>(history.waves.size()), kLeastRows, kMostRows);
}

Extent extent_of(const WaveHistory& history) {
  Extent extent;
  const int rows = rows_of(history);
  for (std::size_t i = 0; i < history.waves.size(); ++i) {
    const waves::Rod& rod = history.problem.rods[i];
    for (const End end : {End::left, End::right}) {
      const double start = rod.position + (end == End::left ? 0 : rod.length);
      const int junction = end == End::left ? history.ends[i].left : history.ends[i].right;
      for (const waves::JunctionStep& step : history.met[junction])
        extent.add(start + (end == End::left ? step.u_right : step.u_left));
      extent.add(start + waves::displacement(history, static_cast<int>(i), end, history.reached));
    }
    for (int k = 0; k <= rows; ++k)
      for (const waves::Piece& piece : waves::fields_at(history, static_cast<int>(i), history.reached * k / rows)) {
        extent.compression = std::min(extent.compression, piece.stress);
        extent.tension = std::max(extent.tension, piece.stress);
      }
  }
  for (const waves::Wall& wall : history.problem.walls) extent.add(wall.position);
  return extent;
}

class Diagram {
 public:
  Diagram(Svg& svg, const WaveHistory& history)
      : svg_(svg), history_(history), extent_(extent_of(history)), panel_(panel_of(history, extent_)) {}

  void draw() {
    panel_.draw_grid(svg_);
    std::vector<std::vector<Cell>> cells;
    std::size_t count = 0;
    bool many = false;
    for (int i = 0; i < rods() && !many; ++i) {
      cells.push_back(waves::cells_of(history_, i, kMostCells));
      count += cells.back().size();
      many = cells.back().empty() || count > kMostCells;
    }
    for (int i = 0; i < rods(); ++i)
      if (many)
        paint_rows(i);
      else
        draw_cells(i, cells[i]);
    for (int i = 0; i < rods(); ++i) draw_outline(i);
    draw_walls();
    draw_contacts();
    panel_.draw_axes(svg_, "Place", "Time");
    draw_names();
    draw_legend(!many);
  }

 private:
  int rods() const { return static_cast<int>(history_.waves.size()); }

  static XyPanel panel_of(const WaveHistory& history, const Extent& extent) {
    const double margin = 0.04 * (extent.right - extent.left);
    return {{kDiagramLeft, kDiagramTop},
            {kDiagramRight, kDiagramBottom},
            ValueRange(extent.left - margin, extent.right + margin, "m", 7),
            ValueRange(0, history.reached, "s", 8)};
  }

  std::string colour_of(double stress) const {
    return stress_colour(extent_.strongest() > 0 ? stress / extent_.strongest() : 0);
  }

  Point place(int rod, const Cell::Corner& corner) const {
    return panel_.at(waves::position_of(history_, rod, corner.x, corner.t), corner.t);
  }

  void draw_cells(int rod, const std::vector<Cell>& cells) {
    const double crossing = history_.problem.rods[rod].crossing(), length = history_.problem.rods[rod].length;
    std::string fronts;
    for (const Cell& cell : cells) {
      std::vector<Point> points;
      for (const Cell::Corner& corner : cell.corners) points.push_back(place(rod, corner));
      const std::string colour = colour_of(cell.stress);
      svg_.polygon(points, fmt::format("fill=\"{0}\" stroke=\"{0}\" stroke-width=\"0.7\"", colour));
      for (std::size_t i = 0; i < points.size(); ++i) {
        const std::size_t next = (i + 1) % points.size();
        const double dx = std::abs(cell.corners[next].x - cell.corners[i].x) / length;
        const double dt = std::abs(cell.corners[next].t - cell.corners[i].t) / crossing;
        if (dx < 1e-9 || dt < 1e-9) continue;  // an end of the rod, or of the time
        fronts += fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", points[i].x(), points[i].y(), points[next].x(),
                              points[next].y());
      }
    }
    const double width = cells.size() > 600 ? 0.3 : 0.9;
    svg_.raw(
        fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#22303c\" stroke-width=\"{}\" stroke-opacity=\"0.55\"/>\n",
                    fronts, width));
  }

  /// Row by row; pieces of nearly one colour are one.
  void paint_rows(int rod) {
    const int rows = rows_of(history_);
    const double height = (kDiagramBottom - kDiagramTop) / rows;
    for (int row = 0; row < rows; ++row) {
      const double t = history_.reached * (row + 0.5) / rows;
      const std::vector<waves::Piece> pieces = waves::fields_at(history_, rod, t);
      const auto shade = [&](const waves::Piece& piece) {
        return static_cast<int>(std::lround(piece.stress / std::max(extent_.strongest(), 1e-300) * kShades));
      };
      double x = waves::position_of(history_, rod, 0, t), end = x;
      const double y = panel_.at(0, t).y() - 0.5 * height;
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        end += (pieces[i].end - pieces[i].begin) * (1 + pieces[i].stress / history_.problem.rods[rod].E);
        const bool last = i + 1 == pieces.size();
        const double left = panel_.at(x, t).x(), right = panel_.at(end, t).x();
        if (!last && (shade(pieces[i]) == shade(pieces[i + 1]) || right - left < 0.7)) continue;
        svg_.raw(fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", left,
                             y, right - left + 0.1, height + 0.3, stress_colour(shade(pieces[i]) / double(kShades))));
        x = end;
      }
    }
  }

  std::vector<Point> way_of(int rod, End end) const {
    const waves::Rod& its = history_.problem.rods[rod];
    const double start = its.position + (end == End::left ? 0 : its.length);
    const auto& steps = history_.met[end == End::left ? history_.ends[rod].left : history_.ends[rod].right];
    std::vector<Point> points;
    for (const waves::JunctionStep& step : steps) {
      const Point next = panel_.at(start + (end == End::left ? step.u_right : step.u_left), step.t);
      if (points.empty() || (next - points.back()).norm() > 0.3) points.push_back(next);
    }
    points.push_back(panel_.at(start + waves::displacement(history_, rod, end, history_.reached), history_.reached));
    return points;
  }

  void draw_outline(int rod) {
    const waves::Rod& its = history_.problem.rods[rod];
    for (const End end : {End::left, End::right}) {
      const double side = end == End::left ? -1 : 1;
      if (its.is_fixed(end)) draw_ground(its.position + (end == End::left ? 0 : its.length), side);
      svg_.polyline(way_of(rod, end),
                    fmt::format("fill=\"none\" stroke=\"#3c4a57\" stroke-width=\"{:.2g}\" stroke-linejoin=\"round\"",
                                1.4 * fineness()));
    }
  }

  /// What does not move, hatched on its side that nobody touches.
  void draw_ground(double x, double side) {
    const Point foot = panel_.at(x, 0), top = panel_.at(x, history_.reached);
    for (double y = top.y() + 8; y <= foot.y(); y += 8)
      svg_.line({foot.x(), y - 8}, {foot.x() + 8 * side, y}, "stroke=\"#9aa1a7\" stroke-width=\"1\"");
    svg_.line(foot, top, "stroke=\"#7b848c\" stroke-width=\"2\"");
  }

  void draw_walls() {
    for (const waves::Wall& wall : history_.problem.walls)
      draw_ground(wall.position, wall.position <= history_.problem.rods.front().position ? -1 : 1);
  }

  /// Where the junction is at a time: at an end that moves, or the wall.
  double place_of(std::size_t k, double t) const {
    const waves::Junction& junction = history_.junctions[k];
    if (junction.left != waves::kNone) {
      const waves::Rod& rod = history_.problem.rods[junction.left];
      return rod.position + rod.length + waves::displacement(history_, junction.left, End::right, t);
    }
    return history_.problem.rods[junction.right].position + waves::displacement(history_, junction.right, End::left, t);
  }

  void draw_contacts() {
    for (std::size_t k = 0; k < history_.junctions.size(); ++k)
      if (history_.junctions[k].contact) draw_contact(k);
  }

  /// Lines over the steps that are alike.
  void draw_contact(std::size_t k) {
    const auto& steps = history_.met[k];
    const auto alike = [](const waves::JunctionStep& a, const waves::JunctionStep& b) {
      return a.closed == b.closed && (a.force > 0) == (b.force > 0);
    };
    std::vector<Point> points;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!steps[i].closed) continue;
      const bool last = i + 1 == steps.size();
      const double end = last ? history_.reached : steps[i + 1].t;
      if (points.empty()) points.push_back(panel_.at(place_of(k, steps[i].t), steps[i].t));
      const bool goes_on = !last && alike(steps[i], steps[i + 1]);
      const Point next = panel_.at(place_of(k, end), end);
      if (!goes_on || (next - points.back()).norm() > 1) points.push_back(next);
      if (goes_on) continue;
      const bool presses = steps[i].force > 0;
      if ((points.back() - points.front()).norm() > 0.1) {
        (presses ? pressed_ : touched_) = true;
        svg_.polyline(points, "fill=\"none\" " + (presses ? pressing(5 * fineness()) : touching(5 * fineness())));
      }
      points.clear();
    }
  }
  static std::string pressing(double width) { return fmt::format("stroke=\"#111111\" stroke-width=\"{:.2g}\"", width); }
  static std::string touching(double width) { return fmt::format("stroke=\"#e0a100\" stroke-width=\"{:.2g}\"", width); }

  /// Part of their usual width that lines have where bands are narrow.
  double fineness() const {
    constexpr double kBand = 24;  // pixels
    double length = 0;
    for (const waves::Rod& rod : history_.problem.rods) length += rod.length;
    const double band = (kDiagramRight - kDiagramLeft) * length / (extent_.right - extent_.left) / rods();
    return std::clamp(band / kBand, 0.12, 1.0);
  }

  void draw_names() {
    constexpr double kLetter = 8.5, kLine = 15;  // pixels
    constexpr const char* kName = "fill=\"#111111\" font-size=\"14\" font-weight=\"bold\"";
    for (int i = 0; i < rods(); ++i) {
      const waves::Rod& rod = history_.problem.rods[i];
      const double left = panel_.at(rod.position, 0).x(), right = panel_.at(rod.position + rod.length, 0).x();
      const double middle = 0.5 * (left + right), y = kDiagramBottom - 9;
      if (right - left > kLetter * static_cast<double>(width(rod.name)) + 6)
        svg_.text({middle, y}, rod.name, fmt::format("{} text-anchor=\"middle\"", kName));
      else if (right - left > kLine)  // upright
        svg_.text({middle + 5, y}, rod.name,
                  fmt::format("{} transform=\"rotate(-90 {:.2f} {:.2f})\"", kName, middle + 5, y));
    }
    for (const waves::Wall& wall : history_.problem.walls)
      svg_.text({panel_.at(wall.position, 0).x(), kDiagramTop - 7}, wall.name,
                "fill=\"#555555\" font-size=\"12\" text-anchor=\"middle\"");
  }

  void draw_legend(bool lines) {
    constexpr const char* kLegendTitle = "fill=\"#333333\" font-size=\"13\" font-weight=\"bold\"";
    constexpr const char* kWord = "fill=\"#333333\" font-size=\"13\"";
    double y = kDiagramTop + 4;
    if (extent_.strongest() > 0) {
      constexpr double kHeight = 190;
      const Unit unit = readable_unit(extent_.strongest(), "Pa");
      svg_.text({kLegendLeft, y}, fmt::format("Stress [{}]", unit.name), kLegendTitle);
      y += 16;
      const double least = extent_.compression, most = extent_.tension;
      std::string stops;
      for (int i = 0; i <= 20; ++i)
        stops += fmt::format("<stop offset=\"{}\" stop-color=\"{}\"/>", i / 20.0,
                             colour_of(most + (least - most) * i / 20.0));
      svg_.raw(fmt::format(
          "<defs><linearGradient id=\"stress\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">{}</linearGradient></defs>"
          "\n<rect x=\"{}\" y=\"{}\" width=\"18\" height=\"{}\" fill=\"url(#stress)\" stroke=\"#999999\" "
          "stroke-width=\"0.6\"/>\n",
          stops, kLegendLeft, y, kHeight));
      const auto mark = [&](double stress, const char* what) {
        const double at = y + kHeight * (most - stress) / (most - least);
        svg_.line({kLegendLeft + 18, at}, {kLegendLeft + 23, at}, "stroke=\"#666666\" stroke-width=\"1\"");
        svg_.text({kLegendLeft + 28, at + 4.5}, fmt::format("{:.3g}{}", stress / unit.factor + 0.0, what), kWord);
      };
      const double near = 0.08 * (most - least);
      if (most > near) mark(most, " tension");
      mark(0, "");
      if (-least > near) mark(least, " compression");
      y += kHeight + 34;
    }
    const auto item = [&](const std::string& style, const char* what) {
      svg_.line({kLegendLeft, y}, {kLegendLeft + 22, y}, style);
      svg_.text({kLegendLeft + 30, y + 4.5}, what, kWord);
      y += 24;
    };
    if (lines) item("stroke=\"#22303c\" stroke-width=\"0.9\" stroke-opacity=\"0.55\"", "front");
    item("stroke=\"#3c4a57\" stroke-width=\"1.4\"", "end of a rod");
    if (pressed_) item(pressing(5), "contact presses");
    if (touched_) item(touching(5), "touches, no force");
  }

  Svg& svg_;
  const WaveHistory& history_;
  Extent extent_;
  XyPanel panel_;
  bool pressed_ = false, touched_ = false;  // contacts that are drawn
};

std::string subtitle(const waves::RodsOutcome& outcome) {
  const std::size_t n = outcome.rods.size(), m = outcome.contacts.size();
  std::string text = fmt::format("{} rod{}, {} contact{}, {} front{}", n, n == 1 ? "" : "s", m, m == 1 ? "" : "s",
                                 outcome.fronts, outcome.fronts == 1 ? "" : "s");
  if (outcome.restitution) text += fmt::format("; restitution {}", number(*outcome.restitution, 1));
  if (!outcome.finished) text += "; not finished";
  return text;
}

}  // namespace

std::string rods_svg(const WaveHistory& history) {
  Svg svg;
  svg.text({32, 40}, "Waves in elastic rods", "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
  svg.text({32, 62}, subtitle(waves::outcome_of(history)), "fill=\"#555555\"");
  if (history.reached > 0) Diagram(svg, history).draw();
  return svg.finish();
}

}  // namespace carom::record

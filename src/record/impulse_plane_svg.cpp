#include "carom/record/impulse_plane_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/record/svg.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

using Point = Svg::Point;
using Line = analysis::ImpulsePlane::Line;

constexpr double kLeft = 84, kRight = 570, kTop = 104, kBottom = 560;  // of the plane
constexpr double kKey = 604;                                           // left edge of the key
constexpr double kSameEnd = 0.004;                                     // of the plane: nearer ends share a mark

constexpr const char* kSticking = "#0f8f7e";
constexpr const char* kCompression = "#2b4c9b";
constexpr const char* kFriction = "#e36414";
constexpr const char* kPath = "#1b1b1b";
constexpr std::array<const char*, 3> kEnds = {"#8a5a00", "#5a3fb8", "#b5179e"};  // newton, poisson, stronge

Point to_point(const analysis::ImpulsePlane::Point& p) {
  return {p[0], p[1]};
}

/// A range with ticks at round numbers.
struct Scale {
  double low = 0, high = 0, step = 1;

  Scale(double from, double to) : low(from), high(to) {
    constexpr double kTicks = 6;
    const double raw = (high - low) / kTicks, power = std::pow(10, std::floor(std::log10(raw)));
    step = power * (raw <= power ? 1 : raw <= 2 * power ? 2 : raw <= 5 * power ? 5 : 10);
  }
};

/// What the picture covers: the path, its ends and the points A and B where they are near.
class Frame {
 public:
  explicit Frame(const analysis::ImpulsePlane& plane) : x_(span_x(plane)), y_(span_y(plane, x_.high)) {}

  Point pixel(const Point& p) const {
    return {kLeft + (kRight - kLeft) * (p.x() - x_.low) / (x_.high - x_.low),
            kBottom - (kBottom - kTop) * (p.y() - y_.low) / (y_.high - y_.low)};
  }

  /// The ends of a line inside the frame, or a little outside; nothing where it does not come near.
  std::vector<Point> across(const Line& line) const {
    std::vector<Point> ends;
    if (std::abs(line[2]) * (y_.high - y_.low) > std::abs(line[1]) * (x_.high - x_.low)) {
      for (const double x : {x_.low, x_.high}) ends.emplace_back(x, -(line[0] + line[1] * x) / line[2]);
    } else if (line[1] != 0) {
      for (const double y : {y_.low, y_.high}) ends.emplace_back(-(line[0] + line[2] * y) / line[1], y);
    }
    return ends;
  }

  const Scale& x() const { return x_; }
  const Scale& y() const { return y_; }

 private:
  static Scale span_x(const analysis::ImpulsePlane& plane) {
    double most = 0;
    for (const analysis::ImpulsePlane::Path& path : plane.paths) most = std::max(most, path.end[0]);
    return {0, most > 0 ? 1.12 * most : 1};
  }
  static Scale span_y(const analysis::ImpulsePlane& plane, double x_most) {
    double low = 0, high = 0;
    const auto cover = [&](double P_t) {
      low = std::min(low, P_t);
      high = std::max(high, P_t);
    };
    for (const analysis::ImpulsePlane::Path& path : plane.paths)
      for (const analysis::ImpulsePlane::Point& corner : path.corners) cover(corner[1]);
    for (const auto& point : {plane.sticks_compressed, plane.sticks_at_end})
      if (point && (*point)[0] > 0 && (*point)[0] < x_most && std::abs((*point)[1]) < x_most) cover((*point)[1]);
    const double room = std::max({0.18 * (high - low), 0.05 * x_most});
    return {low - room, high + room};
  }

  Scale x_, y_;
};

void draw_grid(Svg& svg, const Frame& frame) {
  constexpr const char* kGrid = "stroke=\"#e6e6e6\" stroke-width=\"1\"";
  const auto ticks = [](const Scale& scale, auto&& draw) {
    for (double i = std::ceil(scale.low / scale.step); i * scale.step <= scale.high; ++i) draw(i * scale.step);
  };
  ticks(frame.x(), [&](double P_n) {
    const double x = frame.pixel({P_n, 0}).x();
    svg.line({x, kTop}, {x, kBottom}, kGrid);
    svg.text({x, kBottom + 19}, number(P_n, frame.x().high),
             "fill=\"#666666\" font-size=\"12\" text-anchor=\"middle\"");
  });
  ticks(frame.y(), [&](double P_t) {
    const double y = frame.pixel({0, P_t}).y();
    svg.line({kLeft, y}, {kRight, y}, kGrid);
    svg.text({kLeft - 9, y + 4}, number(P_t, frame.y().high - frame.y().low),
             "fill=\"#666666\" font-size=\"12\" text-anchor=\"end\"");
  });
  const double zero = frame.pixel({0, 0}).y();
  svg.line({kLeft, zero}, {kRight, zero}, "stroke=\"#333333\" stroke-width=\"1.25\"");
  svg.line({kLeft, kTop}, {kLeft, kBottom}, "stroke=\"#333333\" stroke-width=\"1.25\"");
  svg.text({kRight, kBottom + 42}, "Normal impulse [kg m/s]",
           "fill=\"#333333\" font-size=\"13\" font-weight=\"bold\" text-anchor=\"end\"");
  svg.text({kLeft - 44, kTop - 14}, "Tangential impulse [kg m/s]",
           "fill=\"#333333\" font-size=\"13\" font-weight=\"bold\"");
}

/// Entries of the key, one below the other.
class Key {
 public:
  explicit Key(Svg& svg) : svg_(svg) {}

  void line(const std::string& text, const std::string& style) {
    svg_.line({kKey, y_}, {kKey + 22, y_}, style);
    add(text);
  }
  void dot(const std::string& text, const std::string& style) {
    svg_.circle({kKey + 11, y_}, 6, style);
    add(text);
  }
  void area(const std::string& text, const std::string& style) {
    svg_.raw(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"22\" height=\"14\" {}/>\n", kKey, y_ - 7, style));
    add(text);
  }
  void note(const std::string& text) {
    y_ -= 7;
    svg_.text({kKey + 32, y_ + 4.5}, text, "fill=\"#666666\" font-size=\"12\"");
    y_ += 23;
  }
  void gap() { y_ += 10; }

 private:
  void add(const std::string& text) {
    svg_.text({kKey + 32, y_ + 4.5}, text, "fill=\"#333333\" font-size=\"13\"");
    y_ += 24;
  }

  Svg& svg_;
  double y_ = kTop + 8;
};

std::string stroke(const char* colour, double width, const char* dashes = "") {
  return fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}", colour, width,
                     *dashes == 0 ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

class Picture {
 public:
  explicit Picture(const analysis::ImpulsePlane& plane) : plane_(plane), frame_(plane), key_(svg_) {}

  std::string draw() {
    draw_heading();
    svg_.raw(
        fmt::format("<defs><clipPath id=\"plane\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>"
                    "</defs>\n",
                    kLeft, kTop, kRight - kLeft, kBottom - kTop));
    clipped([this] { draw_cone(); });
    draw_grid(svg_, frame_);
    clipped([this] { draw_lines(); });
    clipped([this] { draw_terminations(); });
    draw_points();
    draw_path();
    return svg_.finish();
  }

 private:
  template <class Draw>
  void clipped(Draw&& draw) {
    svg_.raw("<g clip-path=\"url(#plane)\">\n");
    draw();
    svg_.raw("</g>\n");
  }

  void line(const Line& line, const std::string& style) {
    const std::vector<Point> ends = frame_.across(line);
    if (!ends.empty()) svg_.line(frame_.pixel(ends[0]), frame_.pixel(ends[1]), style);
  }

  void draw_heading() {
    svg_.text({28, 40}, "The impulse plane", "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
    const analysis::ImpactClass& kind = plane_.kind;
    svg_.text({28, 62},
              kind.tangential ? fmt::format("tangential impact, mu = {}, e = {}", number(plane_.mu), number(plane_.e))
                              : fmt::format("{}, {} impact, mu = {}, e = {}", kind.central ? "central" : "eccentric",
                                            kind.direct ? "direct" : "oblique", number(plane_.mu), number(plane_.e)),
              "fill=\"#555555\"");
  }

  void draw_cone() {
    const double reach = 2 * frame_.x().high;
    svg_.polygon(
        {frame_.pixel({0, 0}), frame_.pixel({reach, plane_.mu * reach}), frame_.pixel({reach, -plane_.mu * reach})},
        "fill=\"#fdf0e4\"");
  }

  /// The key of clipped shapes is drawn outside the clip: later.
  void draw_lines() {
    for (const Line& friction : plane_.friction) line(friction, stroke(kFriction, 1.5));
    line(plane_.sticking, stroke(kSticking, 2));
    line(plane_.compression, stroke(kCompression, 2));
    for (const auto& point : {plane_.sticks_compressed, plane_.sticks_at_end})
      if (point && (*point)[0] > 0)
        svg_.line(frame_.pixel({0, 0}), frame_.pixel(to_point(*point)), stroke("#999999", 1, "3 4"));
  }

  void draw_terminations() {
    for (const analysis::ImpulsePlane::Path& path : plane_.paths)
      if (path.termination) line(*path.termination, stroke(colour_of(path), 1.25, "7 4"));
  }

  static const char* colour_of(const analysis::ImpulsePlane::Path& path) {
    return kEnds[static_cast<int>(path.restitution)];
  }

  bool inside(const Point& p) const {
    return p.x() >= frame_.x().low && p.x() <= frame_.x().high && p.y() >= frame_.y().low && p.y() <= frame_.y().high;
  }

  void draw_points() {
    key_.area("friction cone", "fill=\"#fdf0e4\" stroke=\"#e36414\" stroke-width=\"1\"");
    key_.line("limiting friction", stroke(kFriction, 1.5));
    key_.line("sticking: no slip", stroke(kSticking, 2));
    key_.line("maximum compression", stroke(kCompression, 2));
    const auto mark = [&](const std::optional<analysis::ImpulsePlane::Point>& point, const char* name) {
      if (!point || (*point)[0] <= 0 || !inside(to_point(*point))) return;
      const Point at = frame_.pixel(to_point(*point));
      svg_.circle(at, 3, "fill=\"#666666\"");
      svg_.text(at + Point(-13, -7), name, "fill=\"#666666\" font-size=\"13\" font-style=\"italic\"");
    };
    mark(plane_.sticks_at_end, "A");
    mark(plane_.sticks_compressed, "B");
    key_.line("OA, OB: part the regions", stroke("#999999", 1, "3 4"));
    key_.gap();
  }

  void draw_path() {
    const analysis::ImpulsePlane::Path* longest = nullptr;
    for (const analysis::ImpulsePlane::Path& path : plane_.paths)
      if (path.solved && (longest == nullptr || path.end[0] > longest->end[0])) longest = &path;
    if (longest == nullptr) return;
    std::vector<Point> pixels;
    for (const analysis::ImpulsePlane::Point& corner : longest->corners)
      pixels.push_back(frame_.pixel(to_point(corner)));
    svg_.polyline(pixels, fmt::format("fill=\"none\" {} stroke-linejoin=\"round\"", stroke(kPath, 3)));
    for (std::size_t i = 0; i + 1 < pixels.size(); ++i) svg_.circle(pixels[i], 3.5, fmt::format("fill=\"{}\"", kPath));
    key_.line("path of the impact", stroke(kPath, 3));
    draw_ends();
  }

  /// One mark for the ends that fall together.
  void draw_ends() {
    std::vector<bool> drawn(plane_.paths.size(), false);
    for (std::size_t i = 0; i < plane_.paths.size(); ++i) {
      const analysis::ImpulsePlane::Path& path = plane_.paths[i];
      if (drawn[i] || !path.solved) continue;
      std::string names(word(path.restitution));
      for (std::size_t j = i + 1; j < plane_.paths.size(); ++j) {
        const analysis::ImpulsePlane::Path& other = plane_.paths[j];
        if (!other.solved || (to_point(other.end) - to_point(path.end)).norm() > kSameEnd * frame_.x().high) continue;
        drawn[j] = true;
        names += fmt::format(", {}", word(other.restitution));
      }
      const std::string style = fmt::format("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"1.5\"", colour_of(path));
      svg_.circle(frame_.pixel(to_point(path.end)), 6, style);
      key_.dot(names, style);
      key_.note(path.mode);
    }
    key_.line("termination", stroke("#777777", 1.25, "7 4"));
  }

  const analysis::ImpulsePlane& plane_;
  Frame frame_;
  Svg svg_;
  Key key_;
};

}  // namespace

std::string impulse_plane_svg(const analysis::ImpulsePlane& plane) {
  return Picture(plane).draw();
}

}  // namespace carom::record

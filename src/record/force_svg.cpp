#include "carom/record/force_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/record/curve.h"
#include "carom/record/svg.h"

namespace carom::record {
namespace {

constexpr const char* kTitle = "fill=\"#333333\" font-size=\"13\" font-weight=\"bold\"";
constexpr const char* kTitleAtEnd = "fill=\"#333333\" font-size=\"13\" font-weight=\"bold\" text-anchor=\"end\"";
constexpr const char* kNumberBelow = "fill=\"#666666\" font-size=\"12\" text-anchor=\"middle\"";
constexpr const char* kNumberBeside = "fill=\"#666666\" font-size=\"12\" text-anchor=\"end\"";
constexpr const char* kGridLine = "stroke=\"#e6e6e6\" stroke-width=\"1\"";
constexpr const char* kAxisLine = "stroke=\"#333333\" stroke-width=\"1.25\"";
constexpr const char* kLoading = "#2b4c9b";
constexpr const char* kUnloading = "#d9561c";

/// A rectangle with a range of values in each direction.
struct ForcePanel {
  double left, right, top, bottom;
  double x_low, x_high, y_low, y_high;

  Svg::Point at(double x, double y) const {
    return {left + (x - x_low) / (x_high - x_low) * (right - left),
            bottom + (y - y_low) / (y_high - y_low) * (top - bottom)};
  }
};

void draw_grid(Svg& svg, const ForcePanel& frame, const Axis& x, const Axis& y, const char* x_title,
               const char* y_title) {
  for (double value = 0; value <= frame.x_high * (1 + 1e-9); value += x.step) {
    const double at = frame.at(value, 0).x();
    svg.line({at, frame.top}, {at, frame.bottom}, kGridLine);
    svg.text({at, frame.bottom + 19}, x.label(value), kNumberBelow);
  }
  for (double value = y.step * std::ceil(frame.y_low / y.step - 1e-9); value <= frame.y_high * (1 + 1e-9);
       value += y.step) {
    const double at = frame.at(0, value).y();
    svg.line({frame.left, at}, {frame.right, at}, kGridLine);
    svg.text({frame.left - 9, at + 4}, y.label(value), kNumberBeside);
  }
  const double zero = frame.at(0, std::max(0.0, frame.y_low)).y();
  svg.line({frame.left, zero}, {frame.right, zero}, kAxisLine);
  svg.text({frame.left - 40, frame.top - 14},
           y.unit.name.empty() ? y_title : fmt::format("{} [{}]", y_title, y.unit.name), kTitle);
  svg.text({frame.right, frame.bottom + 40}, fmt::format("{} [{}]", x_title, x.unit.name), kTitleAtEnd);
}

std::string stroke(const char* colour) {
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2.2\" stroke-linejoin=\"round\"", colour);
}

/// The part of the course up to its deepest point, and from there on.
struct Branches {
  std::vector<Svg::Point> loading, unloading;
};

template <class Across>
Branches branches(const ForceCourse& course, const ForcePanel& frame, Across&& across) {
  Branches result;
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < course.points.size(); ++i)
    if (course.points[i].indentation > course.points[deepest].indentation) deepest = i;
  result.loading.push_back(frame.at(across(course.points[0]), 0));
  for (std::size_t i = 0; i < course.points.size(); ++i) {
    const Svg::Point at = frame.at(across(course.points[i]), course.points[i].force);
    if (i <= deepest) result.loading.push_back(at);
    if (i >= deepest) result.unloading.push_back(at);
  }
  return result;
}

void draw_loop(Svg& svg, const ForceCourse& course, double lowest, double highest) {
  const Axis d(1.05 * course.deepest, "m", 5), F(highest, "N", 6);
  const ForcePanel frame{78, 470, 112, 520, 0, d.end, lowest, highest};
  draw_grid(svg, frame, d, F, "indentation", "Force");
  const Branches parts =
      branches(course, frame, [](const ForceCourse::Point& p) { return std::max(p.indentation, 0.0); });
  std::vector<Svg::Point> loop = parts.loading;
  loop.insert(loop.end(), parts.unloading.begin(), parts.unloading.end());
  svg.polygon(loop, "fill=\"#d9a41a\" fill-opacity=\"0.18\"");
  svg.polyline(parts.loading, stroke(kLoading));
  svg.polyline(parts.unloading, stroke(kUnloading));
  const double share = course.before > 0 ? course.lost / course.before : 0;
  const auto key = [&](double x, const std::string& dot, const std::string& text) {
    svg.circle({x, frame.top - 18}, 5, dot);
    svg.text({x + 11, frame.top - 14}, text, "fill=\"#333333\" font-size=\"12\"");
  };
  key(236, fmt::format("fill=\"{}\"", kLoading), "loading");
  key(308, fmt::format("fill=\"{}\"", kUnloading), "unloading");
  key(394, "fill=\"#d9a41a\" fill-opacity=\"0.45\"", fmt::format("lost {:.1f} %", 100 * std::max(share, 0.0)));
}

void draw_in_time(Svg& svg, const ForceCourse& course, double lowest, double highest) {
  const Axis t(1.02 * course.points.back().time, "s", 5), F(highest, "N", 4);
  const ForcePanel frame{578, 892, 112, 280, 0, t.end, lowest, highest};
  draw_grid(svg, frame, t, F, "time", "Force");
  const Branches parts = branches(course, frame, [](const ForceCourse::Point& p) { return p.time; });
  svg.polyline(parts.loading, stroke(kLoading));
  svg.polyline(parts.unloading, stroke(kUnloading));
}

/// Restitution over speeds, which are told by their logarithm.
void draw_restitution(Svg& svg, const ForceQuestion& question, const ForceCourse& course) {
  const double first = std::log10(course.at_speeds.front().first), last = std::log10(course.at_speeds.back().first);
  const ForcePanel frame{578, 892, 368, 520, first, last, 0, 1.08};
  for (double power = std::ceil(first - 1e-9); power <= last + 1e-9; ++power) {
    const double at = frame.at(power, 0).x();
    svg.line({at, frame.top}, {at, frame.bottom}, kGridLine);
    svg.text({at, frame.bottom + 19}, fmt::format("{:g}", std::pow(10.0, power)), kNumberBelow);
  }
  for (const double e : {0.0, 0.5, 1.0}) {
    const double at = frame.at(first, e).y();
    svg.line({frame.left, at}, {frame.right, at}, e == 0 ? kAxisLine : kGridLine);
    svg.text({frame.left - 9, at + 4}, fmt::format("{:g}", e), kNumberBeside);
  }
  svg.text({frame.left - 40, frame.top - 14}, "Restitution", kTitle);
  svg.text({frame.right, frame.bottom + 40}, "approach speed [m/s]", kTitleAtEnd);
  if (course.asked) {
    const double at = frame.at(first, *course.asked).y();
    svg.line({frame.left, at}, {frame.right, at}, "stroke=\"#888888\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"");
    const bool above = course.returned < *course.asked || *course.asked > 0.9;
    svg.text({frame.right - 4, at + (above ? (*course.asked > 0.9 ? 16 : -6) : 16)},
             fmt::format("asked for: {:g}", *course.asked), kNumberBeside);
  }
  std::vector<Svg::Point> line;
  for (const auto& [speed, e] : course.at_speeds) line.push_back(frame.at(std::log10(speed), e));
  svg.polyline(line, stroke(kLoading));
  const Svg::Point here = frame.at(std::log10(question.speed), course.returned);
  svg.circle(here, 4.5, fmt::format("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"2.2\"", kLoading));
  svg.text({here.x() + 8, here.y() - 9}, fmt::format("{:.4g}", course.returned), "fill=\"#333333\" font-size=\"12\"");
}

}  // namespace

std::string force_svg(const ForceQuestion& question, const ForceCourse& course) {
  Svg svg(940, 586);
  const Unit mass = readable_unit(question.mass, "kg"), speed = readable_unit(question.speed, "m/s");
  svg.text({38, 36}, name_of(question.force), "fill=\"#222222\" font-size=\"19\" font-weight=\"bold\"");
  svg.text({38, 57},
           fmt::format("{:.4g} {} meets a wall at {:.4g} {}", question.mass / mass.factor, mass.name,
                       question.speed / speed.factor, speed.name),
           "fill=\"#666666\" font-size=\"13\"");
  double lowest = 0;
  for (const ForceCourse::Point& point : course.points) lowest = std::min(lowest, point.force);
  const double highest = 1.06 * course.peak;
  draw_loop(svg, course, 1.1 * lowest, highest);
  draw_in_time(svg, course, 1.1 * lowest, highest);
  draw_restitution(svg, question, course);
  return svg.finish();
}

}  // namespace carom::record

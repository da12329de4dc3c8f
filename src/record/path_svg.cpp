#include "carom/record/path_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/record/curve.h"
#include "carom/record/path_table.h"
#include "carom/record/short_names.h"
#include "carom/record/svg.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

using Point = Svg::Point;

constexpr double kPanelLeft = 72, kPanelRight = 656;  // of the panels
constexpr double kKeysLeft = 684;                     // left edge of the keys
constexpr std::size_t kListed = 12;                   // contacts that the key lists; more are told by a ramp
constexpr std::size_t kDrawn = 300;                   // lines; of more contacts some are drawn
constexpr std::size_t kLongestName = 20;              // characters

constexpr const char* kInk = "fill=\"#333333\" font-size=\"13\"";
constexpr const char* kQuiet = "fill=\"#666666\" font-size=\"12\"";

/// From the first contact to the last.
constexpr std::array<std::array<int, 3>, 5> kRamp = {
    {{0x2b, 0x4c, 0x9b}, {0x1f, 0x93, 0x8e}, {0xd9, 0xa4, 0x1a}, {0xd9, 0x56, 0x1c}, {0xa3, 0x16, 0x8c}}};

std::string ramp(double at) {
  const double scaled = std::clamp(at, 0.0, 1.0) * (kRamp.size() - 1);
  const std::size_t i = std::min<std::size_t>(static_cast<std::size_t>(scaled), kRamp.size() - 2);
  std::string colour = "#";
  for (int c = 0; c < 3; ++c)
    colour += fmt::format("{:02x}", static_cast<int>(std::lround(kRamp[i][c] + (scaled - static_cast<double>(i)) *
                                                                                   (kRamp[i + 1][c] - kRamp[i][c]))));
  return colour;
}

std::vector<std::string> short_names_of(const std::vector<Contact>& contacts) {
  std::vector<std::string> names;
  for (const Contact& contact : contacts) names.push_back(contact.name);
  return short_names(names, kLongestName);
}

/// A rectangle of the picture with axes.
class Panel {
 public:
  Panel(Svg& svg, double top, double bottom, const Axis& time, const Axis& value)
      : svg_(svg), top_(top), bottom_(bottom), time_(time), value_(value) {}

  /// Lines at the ticks, and their numbers; those of time only where its name is given.
  void grid(const std::string& title, const char* tells_time) {
    constexpr const char* kGrid = "stroke=\"#e6e6e6\" stroke-width=\"1\"";
    svg_.text({kPanelLeft - 44, top_ - 14}, fmt::format("{} [{}]", title, value_.unit.name),
              "fill=\"#333333\" font-size=\"13\" font-weight=\"bold\"");
    for (int i = 0; i * time_.step <= time_.end * (1 + 1e-9); ++i) {
      const double x = at(i * time_.step, 0).x();
      svg_.line({x, top_}, {x, bottom_}, kGrid);
      if (tells_time != nullptr)
        svg_.text({x, bottom_ + 19}, time_.label(i * time_.step),
                  "fill=\"#666666\" font-size=\"12\" text-anchor=\"middle\"");
    }
    for (int i = 0; i * value_.step <= value_.end * (1 + 1e-9); ++i) {
      const double y = at(0, i * value_.step).y();
      svg_.line({kPanelLeft, y}, {kPanelRight, y}, kGrid);
      svg_.text({kPanelLeft - 9, y + 4}, value_.label(i * value_.step),
                "fill=\"#666666\" font-size=\"12\" text-anchor=\"end\"");
    }
    if (tells_time != nullptr)
      svg_.text({kPanelRight, bottom_ + 42}, fmt::format("{} [{}]", tells_time, time_.unit.name),
                "fill=\"#333333\" font-size=\"13\" font-weight=\"bold\" text-anchor=\"end\"");
  }

  void line(const std::vector<double>& times, const std::vector<double>& values, const std::string& style) {
    svg_.polyline(points(times, values), style);
  }
  void area(const std::vector<double>& times, const std::vector<double>& values, const std::string& style) {
    std::vector<Point> corners = points(times, values);
    corners.push_back(at(times.back(), 0));
    corners.push_back(at(times.front(), 0));
    svg_.polygon(corners, style);
  }
  void axis() { svg_.line({kPanelLeft, bottom_}, {kPanelRight, bottom_}, "stroke=\"#333333\" stroke-width=\"1.25\""); }

 private:
  Point at(double time, double value) const { return origin() + scale().cwiseProduct(Point(time, value)); }
  Point origin() const { return {kPanelLeft, bottom_}; }
  Point scale() const { return {(kPanelRight - kPanelLeft) / time_.end, (top_ - bottom_) / value_.end}; }
  std::vector<Point> points(const std::vector<double>& times, const std::vector<double>& values) const {
    return curve(times, values, origin(), scale());
  }

  Svg& svg_;
  double top_, bottom_;
  Axis time_, value_;
};

/// How many states there are before all forces stay below what can be seen.
std::size_t visible_states(const Path& path) {
  constexpr double kFaded = 0.005;  // of the largest force
  double largest = 0;
  for (const Path::State& state : path.states) largest = std::max(largest, state.force.maxCoeff());
  std::size_t count = path.states.size();
  while (count > 2 && path.states[count - 1].force.maxCoeff() <= kFaded * largest) --count;
  return count;
}

/// The key of many contacts: a ramp from the first to the last.
void draw_ramp(Svg& svg, const std::vector<Contact>& contacts, std::size_t stride, double top, double bottom) {
  std::string stops;
  for (std::size_t i = 0; i < kRamp.size(); ++i) {
    const double at = static_cast<double>(i) / (kRamp.size() - 1);
    stops += fmt::format("<stop offset=\"{}\" stop-color=\"{}\"/>", at, ramp(at));
  }
  svg.raw(
      fmt::format("<defs><linearGradient id=\"contacts\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">{}</linearGradient>"
                  "</defs>\n<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"{}\" rx=\"3\" fill=\"url(#contacts)\"/>\n",
                  stops, kKeysLeft, top, bottom - top));
  const std::vector<std::string> ends = short_names({contacts.front().name, contacts.back().name}, kLongestName);
  svg.text({kKeysLeft + 22, top + 10}, ends.front(), kInk);
  svg.text({kKeysLeft + 22, bottom - 1}, ends.back(), kInk);
  const double middle = 0.5 * (top + bottom) + 4;
  svg.text({kKeysLeft + 22, middle}, fmt::format("{} contacts", contacts.size()), kQuiet);
  if (stride > 1) svg.text({kKeysLeft + 22, middle + 17}, fmt::format("one of {} drawn", stride), kQuiet);
}

void draw_forces(Svg& svg, const std::vector<Contact>& contacts, const Path& path, const std::vector<double>& times,
                 const Axis& time, double top, double bottom) {
  double largest = 0;
  for (const Path::State& state : path.states) largest = std::max(largest, state.force.maxCoeff());
  Panel panel(svg, top, bottom, time, Axis(1.04 * largest, "N", 5));
  panel.grid("Force", nullptr);
  const std::size_t m = contacts.size(), stride = (m + kDrawn - 1) / kDrawn;
  const bool listed = m <= kListed;
  const std::vector<std::string> names = listed ? short_names_of(contacts) : std::vector<std::string>();
  std::vector<double> force(times.size());
  for (std::size_t i = 0; i < m; i += stride) {
    for (std::size_t t = 0; t < times.size(); ++t) force[t] = path.states[t].force[static_cast<Index>(i)];
    const std::string colour = ramp(m > 1 ? static_cast<double>(i) / static_cast<double>(m - 1) : 0);
    if (listed) panel.area(times, force, fmt::format("fill=\"{}\" fill-opacity=\"0.07\"", colour));
    panel.line(times, force,
               fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"", colour,
                           listed ? "2" : "1"));
    if (!listed) continue;
    const double y = top + 8 + 20 * static_cast<double>(i);
    svg.line({kKeysLeft, y}, {kKeysLeft + 16, y}, fmt::format("stroke=\"{}\" stroke-width=\"3\"", colour));
    svg.text({kKeysLeft + 24, y + 4.5}, names[i], kInk);
  }
  if (!listed) draw_ramp(svg, contacts, stride, top, bottom);
  panel.axis();
}

void draw_energies(Svg& svg, const ImpactProblem& problem, const ImpactOutcome& outcome, const Path& path,
                   const std::vector<double>& times, const Axis& time, double top, double bottom) {
  const Vector lost = dissipated(problem, outcome, path);
  std::vector<double> kinetic, stored, all;  // each on top of the one before
  for (std::size_t t = 0; t < times.size(); ++t) {
    kinetic.push_back(path.states[t].kinetic);
    stored.push_back(kinetic[t] + path.states[t].stored.sum());
    all.push_back(stored[t] + std::max(0.0, lost[static_cast<Index>(t)]));
  }
  const double most = *std::max_element(all.begin(), all.end());
  const bool loses = lost.maxCoeff() > 1e-3 * most;
  Panel panel(svg, top, bottom, time, Axis(1.04 * most, "J", 4));
  panel.grid("Energy", path.parameter == Path::Parameter::time ? "Time" : "Normal impulse");
  struct Layer {
    const char *name, *colour;
    const std::vector<double>& values;
  };
  double y = top + 8;
  for (const Layer& layer : {Layer{"dissipated", "#c3c7cc", all}, Layer{"stored", "#f4a259", stored},
                             Layer{"kinetic", "#5b8fc4", kinetic}}) {
    if (&layer.values == &all && !loses) continue;
    panel.area(
        times, layer.values,
        fmt::format("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"1\" stroke-linejoin=\"round\"", layer.colour));
    svg.raw(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"16\" height=\"13\" rx=\"2\" fill=\"{}\"/>\n", kKeysLeft,
                        y - 6.5, layer.colour));
    svg.text({kKeysLeft + 24, y + 4.5}, layer.name, kInk);
    y += 22;
  }
  panel.axis();
}

}  // namespace

std::string path_svg(const ImpactProblem& problem, const ImpactOutcome& outcome, const Path& path) {
  Svg svg;
  svg.text({28, 40}, "Inside the impact", "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
  const std::size_t m = problem.contacts.size();
  std::string told = fmt::format("{}, {} contact{}", outcome.law, m, m == 1 ? "" : "s");
  std::vector<double> times;
  for (const Path::State& state : path.states) times.push_back(state.time);
  if (times.empty() || times.back() <= 0) {
    svg.text({28, 62}, told + "; nothing is compressed", "fill=\"#555555\"");
    return svg.finish();
  }
  if (outcome.history && outcome.history->collapsed) {
    times.resize(visible_states(path));
    told += "; collapses, shown until the forces have faded";
  }
  const bool in_time = path.parameter == Path::Parameter::time;
  const Axis time(times.back(), in_time ? "s" : "N s", 8);
  if (outcome.duration)
    told += fmt::format("; {:.4g} {} from the first touch to the last release", *outcome.duration / time.unit.factor,
                        time.unit.name);
  svg.text({28, 62}, told, "fill=\"#555555\"");
  if (in_time) draw_forces(svg, problem.contacts, path, times, time, 112, 360);
  draw_energies(svg, problem, outcome, path, times, time, in_time ? 418 : 112, 576);
  return svg.finish();
}

}  // namespace carom::record

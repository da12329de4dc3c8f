#include "carom/record/outcomes_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/analysis/admissible_set.h"
#include "carom/base/random.h"
#include "carom/record/json.h"
#include "carom/record/svg.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

using analysis::CloudPart;
using analysis::CloudPoint;
using analysis::Unknown;

constexpr Index kMostStrips = 12;  // contacts drawn
constexpr double kCloudLeft = 190, kCloudRight = 40, kCloudTop = 128, kCloudStrip = 46;
constexpr std::array<const char*, 4> kCloudColours = {"#0072b2", "#e69f00", "#009e73", "#cc79a7"};
constexpr std::array<const char*, 4> kCloudMeanings = {"order of the contacts", "stiffnesses", "gaps", "coefficients"};

bool cloud_rubs(const ImpactProblem& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const Contact& contact) { return contact.tangents > 0 && contact.mu > 0; });
}

/// The least and the largest gamma+ that mechanics allows, where that is known.
std::vector<analysis::AdmissibleSet::Range> allowed_ranges(const ImpactProblem& problem) {
  if (cloud_rubs(problem)) return {};
  const analysis::AdmissibleSet set(problem);
  if (!set.possible()) return {};
  return set.ranges().value_or(std::vector<analysis::AdmissibleSet::Range>{});
}

/// Steps of 1, 2 or 5 times a power of ten, about `wanted` of them.
double strip_tick(double length, int wanted) {
  const double rough = length / wanted, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double step : {1.0, 2.0, 5.0})
    if (rough <= step * power) return step * power;
  return 10 * power;
}

std::vector<Dots> cloud_dots(const analysis::OutcomeCloud& cloud) {
  std::vector<Dots> result;
  for (const CloudPart& part : cloud.parts) {
    if (part.solved == 0) continue;
    const auto kind = static_cast<std::size_t>(part.unknown);
    Dots dots{fmt::format("{}: {} outcomes", kCloudMeanings[kind], part.solved), kCloudColours[kind], {}};
    for (const CloudPoint& point : cloud.points)
      if (point.unknown == part.unknown) dots.u_plus.push_back(point.u_plus);
    result.push_back(std::move(dots));
  }
  return result;
}

}  // namespace

std::string OutcomesReport::name_of(Index entry) const {
  return velocities.empty() ? fmt::format("u[{}]", entry) : velocities[static_cast<std::size_t>(entry)];
}

std::string OutcomesReport::json() const {
  Json parts = Json::array(), points = Json::array(), names = Json::array();
  for (Index i = 0; i < problem.u_minus.size(); ++i) names.push_back(name_of(i));
  for (const CloudPart& part : cloud.parts) {
    Json one{{"unknown", word(part.unknown)}, {"law", part.law}, {"samples", part.tried}, {"solved", part.solved}};
    if (!part.why.empty()) one["why"] = part.why;
    if (part.solved > 0) {
      one["u_plus"] = Json{{"least", part.least}, {"largest", part.largest}};
      one["energy"] = Json{{"least", part.least_energy}, {"largest", part.largest_energy}};
    }
    parts.push_back(std::move(one));
  }
  for (const CloudPoint& point : cloud.points)
    points.push_back(Json{{"unknown", word(point.unknown)}, {"u_plus", point.u_plus}, {"energy", point.energy}});
  Json document{{"format", "carom-outcomes/1"}, {"velocities", names}, {"spread", cloud.spread}, {"parts", parts}};
  if (!cloud.points.empty()) document["u_plus"] = Json{{"least", cloud.least}, {"largest", cloud.largest}};
  document["outcomes"] = std::move(points);
  return document.dump(2) + "\n";
}

std::string OutcomesReport::text() const {
  std::string text;
  std::vector<std::string> header = {"u+"};
  const double scale =
      cloud.points.empty() ? 0 : std::max(cloud.largest.cwiseAbs().maxCoeff(), cloud.least.cwiseAbs().maxCoeff());
  std::vector<const CloudPart*> shown;
  for (const CloudPart& part : cloud.parts) {
    text += fmt::format("{:<13}{} of {} samples, {}\n", word(part.unknown), part.solved, part.tried, part.law);
    if (part.solved < part.tried && !part.why.empty()) text += wrapped("  " + part.why, kWidestTable) + "\n";
    if (part.solved > 0) shown.push_back(&part);
  }
  if (shown.empty()) return text + "\nno sample has an outcome\n";
  header.emplace_back("all");
  for (const CloudPart* part : shown) header.emplace_back(word(part->unknown));
  Table table(header);
  const auto range = [&](double least, double largest) {
    return largest - least <= 1e-6 * scale ? number(least, scale) : fmt::format("{:.4g} to {:.4g}", least, largest);
  };
  add_rows(table, static_cast<std::size_t>(cloud.least.size()), [&](std::size_t k) {
    const auto i = static_cast<Index>(k);
    std::vector<std::string> row = {name_of(i), range(cloud.least[i], cloud.largest[i])};
    for (const CloudPart* part : shown) row.push_back(range(part->least[i], part->largest[i]));
    table.add(std::move(row));
  });
  table.add_rule();
  double least = shown.front()->least_energy, largest = 0;
  for (const CloudPart* part : shown) {
    least = std::min(least, part->least_energy);
    largest = std::max(largest, part->largest_energy);
  }
  const auto energy = [&](double from, double to) {
    return to - from <= 1e-6 * largest ? number(from) : fmt::format("{:.4g} to {:.4g}", from, to);
  };
  std::vector<std::string> energies = {"energy left [J]", energy(least, largest)};
  for (const CloudPart* part : shown) energies.push_back(energy(part->least_energy, part->largest_energy));
  table.add(std::move(energies));
  text += "\n" + table.text_within(kWidestTable);
  const double spread = cloud.spread;
  text += spread < 1e-6   ? "\nthe outcome does not depend on what was varied\n"
          : spread < 0.05 ? fmt::format("\nthe outcome is nearly certain: it varies by {:.2g} of the speeds\n", spread)
                          : fmt::format(
                                "\nthe outcome is open: it varies by {:.2g} of the speeds; trust no single law "
                                "here\n",
                                spread);
  return text;
}

std::string OutcomesReport::svg() const {
  if (cloud.points.empty()) throw InputError("", "no sample has an outcome; there is nothing to draw");
  if (problem.contacts.size() == 2 && !cloud_rubs(problem)) {
    const analysis::AdmissibleSet set(problem);
    if (set.possible() && has_plane(set)) return cloud_svg(set, marks, cloud_dots(cloud));
  }
  const Index strips = std::min<Index>(kMostStrips, static_cast<Index>(problem.contacts.size()));
  std::vector<Index> row;
  Index next = 0;
  for (const Contact& contact : problem.contacts) {
    row.push_back(next);
    next += 1 + contact.tangents;
  }
  const auto ranges = allowed_ranges(problem);
  double low = 0, high = 0;
  for (Index i = 0; i < strips; ++i) {
    for (const CloudPoint& point : cloud.points) {
      low = std::min(low, point.gamma_plus[row[i]]);
      high = std::max(high, point.gamma_plus[row[i]]);
    }
    if (!ranges.empty()) high = std::max(high, ranges[static_cast<std::size_t>(i)].largest);
  }
  if (!(high > low)) high = low + 1;
  const double bottom = kCloudTop + kCloudStrip * static_cast<double>(strips), height = bottom + 64,
               width = Svg::kWidth;
  const auto x = [&](double gamma) {
    return kCloudLeft + (gamma - low) / (high - low) * (width - kCloudLeft - kCloudRight);
  };
  Svg svg(width, height);
  svg.text({32, 40}, "What may happen", "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
  svg.text({32, 62}, fmt::format("velocity after the impact at each contact, {} outcomes", cloud.points.size()),
           "fill=\"#555555\"");
  double key = 32;
  for (const CloudPart& part : cloud.parts) {
    if (part.solved == 0) continue;
    const auto kind = static_cast<std::size_t>(part.unknown);
    svg.circle({key + 5, 88}, 4, fmt::format("fill=\"{}\"", kCloudColours[kind]));
    svg.text({key + 15, 92.5}, kCloudMeanings[kind], "fill=\"#333333\" font-size=\"13\"");
    key += 34 + 7.2 * static_cast<double>(std::string_view(kCloudMeanings[kind]).size());
  }
  if (!ranges.empty()) {
    svg.raw(fmt::format("<rect x=\"{}\" y=\"81\" width=\"16\" height=\"14\" fill=\"#e3e8ec\"/>\n", key));
    svg.text({key + 22, 92.5}, "all that mechanics allows", "fill=\"#333333\" font-size=\"13\"");
  }
  const double step = strip_tick(high - low, 7);
  for (double tick = std::ceil(low / step) * step; tick <= high + 1e-9 * step; tick += step) {
    svg.line({x(tick), kCloudTop - 6}, {x(tick), bottom}, "stroke=\"#d8dde1\" stroke-width=\"1\"");
    svg.text({x(tick), bottom + 20}, fmt::format("{:.4g}", std::abs(tick) < 1e-9 * step ? 0 : tick),
             "fill=\"#555555\" font-size=\"12\" text-anchor=\"middle\"");
  }
  svg.text({0.5 * (kCloudLeft + width - kCloudRight), bottom + 44}, "gap velocity after the impact [m/s]",
           "fill=\"#333333\" font-size=\"13\" text-anchor=\"middle\"");
  Random random(1);
  for (Index i = 0; i < strips; ++i) {
    const double middle = kCloudTop + kCloudStrip * (static_cast<double>(i) + 0.5) - 3;
    if (!ranges.empty()) {
      const auto& range = ranges[static_cast<std::size_t>(i)];
      svg.raw(fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{}\" fill=\"#e3e8ec\"/>\n",
                          x(range.least), middle - 17, std::max(1.0, x(range.largest) - x(range.least)), 34));
    }
    std::string name = problem.contacts[static_cast<std::size_t>(i)].name;
    if (name.size() > 22) name = name.substr(0, 20) + "..";
    svg.text({kCloudLeft - 14, middle + 4}, name, "fill=\"#111111\" font-size=\"13\" text-anchor=\"end\"");
    for (const CloudPoint& point : cloud.points) {
      const auto kind = static_cast<std::size_t>(point.unknown);
      const double lane = middle + 8 * (static_cast<double>(kind) - 1.5) + 5 * (random.uniform() - 0.5);
      svg.circle({x(point.gamma_plus[row[i]]), lane}, 2.4,
                 fmt::format("fill=\"{}\" fill-opacity=\"0.55\"", kCloudColours[kind]));
    }
  }
  if (static_cast<Index>(problem.contacts.size()) > strips)
    svg.text({kCloudLeft, height - 4}, fmt::format("{} more contacts are not drawn", problem.contacts.size() - strips),
             "fill=\"#777777\" font-size=\"11\"");
  return svg.finish();
}

}  // namespace carom::record

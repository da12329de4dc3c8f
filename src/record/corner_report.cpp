#include "carom/record/corner_report.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/record/outcome_json.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

using analysis::CornerWay;

constexpr std::size_t kHitsListed = 1000;  // of a way, in JSON

const std::string& corner_contact(const CornerReport& report, int i) {
  return report.problem.contacts()[static_cast<std::size_t>(i)].name;
}

/// The angle between the motion before the impact and the surface of an edge.
double corner_incidence(const analysis::Corner& corner) {
  return std::atan2(-corner.before.y(), corner.before.x());
}

std::string count_of_hits(const CornerWay& way) {
  return way.at_rest ? "without end"
         : way.ends  ? std::to_string(way.hits.size())
                     : fmt::format("more than {}", way.hits.size());
}

Json way_json(const CornerReport& report, const CornerWay& way) {
  Json hits = Json::array();
  for (std::size_t i = 0; i < std::min(kHitsListed, way.hits.size()); ++i)
    hits.push_back(corner_contact(report, way.hits[i]));
  return {{"first", corner_contact(report, way.first)},
          {"count", way.hits.size()},
          {"ends", way.ends},
          {"at_rest", way.at_rest},
          {"reflections", way.reflections},
          {"hits", hits},
          {"u_plus", to_json(way.u_plus)},
          {"gamma_plus", to_json(way.gamma_plus)},
          {"energy_ratio", way.energy_ratio}};
}

}  // namespace

std::string CornerReport::json() const {
  Json names = Json::array(), ways = Json::array();
  for (const Contact& contact : problem.contacts()) names.push_back(contact.name);
  for (const CornerWay& way : corner.ways) ways.push_back(way_json(*this, way));
  const auto images = corner.images();
  Json result = {{"format", "carom-geodesic/1"},
                 {"contacts", names},
                 {"angle", corner.angle},
                 {"images", or_null(images)},
                 {"lossless", corner.lossless},
                 {"decided", corner.is_decided()},
                 {"ways", ways}};
  if (corner.is_edge) result["incidence"] = corner_incidence(corner);
  return result.dump(2) + "\n";
}

std::string CornerReport::text() const {
  const double degrees = corner.angle * 180 / std::numbers::pi;
  std::string text =
      corner.is_edge
          ? fmt::format("{} is an edge of the kinetic metric, met at {} degrees to its surface\n\n",
                        corner_contact(*this, 0), number(corner_incidence(corner) * 180 / std::numbers::pi))
          : fmt::format("{} and {} make a corner of {} degrees in the kinetic metric; 180 degrees are {} of it\n\n",
                        corner_contact(*this, 0), corner_contact(*this, 1), number(degrees), number(180 / degrees));
  std::vector<std::string> header = {"hit first"};
  for (const CornerWay& way : corner.ways) header.push_back(corner_contact(*this, way.first));
  Table table(header);
  const auto add = [&](const std::string& what, auto&& value) {
    std::vector<std::string> row = {what};
    for (const CornerWay& way : corner.ways) row.push_back(value(way));
    table.add(std::move(row));
  };
  add("impacts", [](const CornerWay& way) { return count_of_hits(way); });
  add("reflections of a line in a corner like this",
      [](const CornerWay& way) { return std::to_string(way.reflections); });
  add("T+/T-", [](const CornerWay& way) { return number(way.energy_ratio, 1); });
  const Index n = corner.ways[0].u_plus.size();
  add_rows(table, static_cast<std::size_t>(n), [&](std::size_t k) {
    const auto i = static_cast<Index>(k);
    add(velocities.empty() ? fmt::format("u+[{}]", i) : velocities[k],
        [&](const CornerWay& way) { return number(way.u_plus[i], way.u_plus.cwiseAbs().maxCoeff()); });
  });
  text += table.text() + "\n";
  if (corner.is_edge)
    return text + (corner.lossless ? "unfolded, the line goes straight on: at an edge one answer is natural\n"
                                   : "with losses (e < 1) the unfolded line bends at the edge\n");
  if (corner.ways.size() == 1)
    return text + fmt::format("{} does not close, so there is one order only\n",
                              corner_contact(*this, 1 - corner.ways[0].first));
  if (corner.is_decided()) return text + "both orders end with the same velocities: the corner has one answer\n";
  return text + "the orders end with different velocities: at the corner itself no answer is natural\n";
}

}  // namespace carom::record

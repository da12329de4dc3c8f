#include "carom/record/rods_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/record/json.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

using waves::ContactResult;
using waves::Piece;
using waves::RodResult;
using waves::Sample;

Json contact_json(const ContactResult& contact) {
  Json intervals = Json::array();
  for (const waves::Interval& interval : contact.intervals)
    intervals.push_back(Json::array({interval.begin, interval.end}));
  return {{"between", Json::array({contact.left, contact.right})},
          {"intervals", intervals},
          {"peak_force", contact.peak_force},
          {"impulse", contact.impulse}};
}

/// One list a quantity, with one entry a time.
Json history_json(const std::vector<Sample>& samples) {
  Json t = Json::array(), velocity = Json::array(), kinetic = Json::array(), strain = Json::array(),
       force = Json::array();
  for (const Sample& sample : samples) {
    Json v = Json::array(), T = Json::array(), V = Json::array();
    for (const waves::RodState& rod : sample.rods) {
      v.push_back(rod.velocity);
      T.push_back(rod.kinetic);
      V.push_back(rod.strain);
    }
    t.push_back(sample.t);
    velocity.push_back(v);
    kinetic.push_back(T);
    strain.push_back(V);
    force.push_back(Json(sample.forces));
  }
  return {{"t", t}, {"velocity", velocity}, {"kinetic", kinetic}, {"strain", strain}, {"force", force}};
}

Json fields_json(const RodsReport& report, const RodsFields& fields) {
  Json rods = Json::array();
  for (std::size_t i = 0; i < fields.rods.size(); ++i) {
    Json pieces = Json::array();
    for (const Piece& piece : fields.rods[i])
      pieces.push_back(
          {{"from", piece.begin}, {"to", piece.end}, {"velocity", piece.velocity}, {"stress", piece.stress}});
    rods.push_back({{"name", report.problem.rods[i].name}, {"pieces", pieces}});
  }
  return {{"t", fields.t}, {"rods", rods}};
}

/// The intervals in words, the first few of many.
std::string intervals_text(const std::vector<waves::Interval>& intervals) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(intervals.size(), kShown); ++i)
    text += fmt::format("{}{:.6g} to {:.6g}", i == 0 ? "" : ", ", intervals[i].begin, intervals[i].end);
  if (intervals.size() > kShown) text += fmt::format(", ... ({} in all)", intervals.size());
  return text.empty() ? "never" : text;
}

std::string rods_table(const RodsReport& report) {
  double fastest = 0, heaviest = 0, largest = report.outcome.energy_before;
  for (std::size_t i = 0; i < report.problem.rods.size(); ++i) {
    const waves::Rod& rod = report.problem.rods[i];
    const RodResult& result = report.outcome.rods[i];
    fastest = std::max({fastest, std::abs(rod.velocity), std::abs(result.velocity)});
    heaviest = std::max({heaviest, rod.mass() * std::abs(rod.velocity), std::abs(result.momentum)});
    largest = std::max(largest, result.kinetic + result.vibration);
  }
  Table table({"rod", "velocity before [m/s]", "after, mean", "momentum [kg m/s]", "kinetic, of the mean [J]",
               "vibration [J]"});
  add_rows(table, report.outcome.rods.size(), [&](std::size_t i) {
    const RodResult& rod = report.outcome.rods[i];
    table.add({rod.name, number(report.problem.rods[i].velocity, fastest), number(rod.velocity, fastest),
               number(rod.momentum, heaviest), number(rod.kinetic, largest), number(rod.vibration, largest)});
  });
  return table.text();
}

std::string contacts_table(const RodsReport& report) {
  if (report.outcome.contacts.empty()) return "nothing can touch\n";
  Table table({"contact", "peak force [N]", "impulse [N s]", "closed [s]"});
  add_rows(table, report.outcome.contacts.size(), [&](std::size_t i) {
    const ContactResult& contact = report.outcome.contacts[i];
    table.add({contact.left + " - " + contact.right, number(contact.peak_force), number(contact.impulse),
               intervals_text(contact.intervals)});
  });
  return table.text();
}

std::string fields_table(const RodsReport& report, const RodsFields& fields) {
  double fastest = 0, strongest = 0;
  for (const auto& rod : fields.rods)
    for (const Piece& piece : rod) {
      fastest = std::max(fastest, std::abs(piece.velocity));
      strongest = std::max(strongest, std::abs(piece.stress));
    }
  Table table({"rod", "from [m]", "to", "velocity [m/s]", "stress [Pa]"});
  for (std::size_t i = 0; i < fields.rods.size(); ++i) {
    const double length = report.problem.rods[i].length;
    add_rows(table, fields.rods[i].size(), [&](std::size_t k) {
      const Piece& piece = fields.rods[i][k];
      table.add({k == 0 ? report.problem.rods[i].name : "", number(piece.begin, length), number(piece.end, length),
                 number(piece.velocity, fastest), number(piece.stress, strongest)});
    });
  }
  return fmt::format("\nat {:.6g} s, from the left end of each rod, tension is positive\n{}", fields.t, table.text());
}

}  // namespace

std::string RodsReport::json() const {
  Json rods = Json::array(), contacts = Json::array();
  for (const RodResult& rod : outcome.rods)
    rods.push_back({{"name", rod.name},
                    {"velocity", rod.velocity},
                    {"momentum", rod.momentum},
                    {"kinetic", rod.kinetic},
                    {"vibration", rod.vibration}});
  for (const ContactResult& contact : outcome.contacts) contacts.push_back(contact_json(contact));
  Json result = {
      {"format", "carom-rods-outcome/1"},
      {"status", outcome.status()},
      {"message", outcome.message},
      {"method", method},
      {"reached", outcome.reached},
      {"rods", rods},
      {"contacts", contacts},
      {"restitution", or_null(outcome.restitution)},
      {"energy", {{"before", outcome.energy_before}, {"after", outcome.energy_after}, {"work", outcome.work}}},
      {"energy_error", outcome.energy_error},
      {"cost", {{"fronts", outcome.fronts}, {"steps", outcome.steps}}}};
  if (!samples.empty()) result["history"] = history_json(samples);
  if (!fields.empty()) {
    result["fields"] = Json::array();
    for (const RodsFields& each : fields) result["fields"].push_back(fields_json(*this, each));
  }
  return result.dump(2) + "\n";
}

std::string RodsReport::text() const {
  std::string result = rods_table(*this) + "\n" + contacts_table(*this) + "\n";
  if (outcome.restitution)
    result += fmt::format("restitution of the mean velocities: {}\n", number(*outcome.restitution, 1));
  result += fmt::format("energy: {} J before, {} J by forces, {} J after; ", number(outcome.energy_before),
                        number(outcome.work), number(outcome.energy_after));
  result += method == "exact" ? fmt::format("the balance closes to {:.1e}\n", outcome.energy_error)
                              : fmt::format("the method lost {:.2g} %\n", 100 * outcome.energy_error);
  if (method == "exact")
    result +=
        fmt::format("exact: {} front{} in {:.6g} s\n", outcome.fronts, outcome.fronts == 1 ? "" : "s", outcome.reached);
  else
    result += fmt::format("{}: {} steps in {:.6g} s\n", method, outcome.steps, outcome.reached);
  for (const RodsFields& each : fields) result += fields_table(*this, each);
  if (!outcome.finished) result += "not finished: " + outcome.message + "\n";
  return result;
}

}  // namespace carom::record

#include "carom/record/run_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <sstream>
#include <utility>

#include "carom/record/table.h"

namespace carom::record {
namespace {

/// A table with one column per law, written row by row.
class Columns {
 public:
  using Cell = std::function<std::string(const RunSummary&)>;

  explicit Columns(const std::vector<ComparedRun>& runs) : runs_(runs), table_(header(runs)) {}

  void add_of_run(const std::string& label, const std::function<std::string(const ComparedRun&)>& cell) {
    std::vector<std::string> row = {label};
    for (const ComparedRun& run : runs_) row.push_back(cell(run));
    table_.add(row);
  }

  void add(const std::string& label, const Cell& cell) {
    add_of_run(label, [&](const ComparedRun& run) { return cell(*run.summary); });
  }
  void add_rule() { table_.add_rule(); }
  Table& table() { return table_; }

 private:
  static Table header(const std::vector<ComparedRun>& runs) {
    std::vector<ColumnTitle> titles;
    for (const ComparedRun& run : runs) titles.push_back(run.column);
    return table_of(titles);
  }

  const std::vector<ComparedRun>& runs_;
  Table table_;
};

bool any(const std::vector<ComparedRun>& runs, double Ledger::*value) {
  return std::any_of(runs.begin(), runs.end(), [&](const ComparedRun& run) { return run.summary->ledger.*value != 0; });
}

/// Energies of all runs on one scale, so that rounding is 0 in each.
double energy_scale(const std::vector<ComparedRun>& runs) {
  double scale = 0;
  for (const ComparedRun& run : runs) {
    const Ledger& ledger = run.summary->ledger;
    scale =
        std::max({scale, std::abs(ledger.start), ledger.kinetic, std::abs(ledger.potential), std::abs(ledger.work)});
  }
  return scale;
}

void add_energies(Columns& columns, const std::vector<ComparedRun>& runs) {
  constexpr double kCoarser = 1e3;  // than rounding: what is followed in time is known to a billionth
  const double scale = kCoarser * energy_scale(runs);
  const auto energy = [&](const std::string& label, double Ledger::*value) {
    columns.add(label, [&](const RunSummary& summary) { return number(summary.ledger.*value, scale); });
  };
  energy("kinetic energy [J]", &Ledger::kinetic);
  energy("potential energy [J]", &Ledger::potential);
  if (any(runs, &Ledger::stored)) energy("stored in contacts [J]", &Ledger::stored);
  energy("lost in impacts [J]", &Ledger::dissipated_impacts);
  if (any(runs, &Ledger::dissipated_slip)) energy("lost in sliding [J]", &Ledger::dissipated_slip);
  if (any(runs, &Ledger::dissipated_dampers)) energy("lost in dampers [J]", &Ledger::dissipated_dampers);
  if (any(runs, &Ledger::work)) energy("work of loads and walls [J]", &Ledger::work);
}

/// Pairs of bodies that pressed on each other in impact `n` of some column, by their places in the model.
std::vector<std::pair<int, int>> pairs_of(const std::vector<ComparedRun>& runs, std::size_t n) {
  std::vector<std::pair<int, int>> pairs;
  for (const ComparedRun& run : runs) {
    if (n >= run.impacts.size()) continue;
    double most = 0;
    for (const PairImpulse& one : run.impacts[n].pairs) most = std::max(most, std::abs(one.impulse));
    for (const PairImpulse& one : run.impacts[n].pairs)
      if (number(one.impulse, most) != "0") pairs.emplace_back(one.body_a, one.body_b);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

std::string impulse_in(const ComparedRun& run, std::size_t n, const std::pair<int, int>& bodies) {
  if (n >= run.impacts.size()) return "-";
  double most = 0;
  std::optional<double> found;
  for (const PairImpulse& one : run.impacts[n].pairs) {
    most = std::max(most, std::abs(one.impulse));
    if (std::pair(one.body_a, one.body_b) == bodies) found = one.impulse;
  }
  return found ? number(*found, most) : "-";
}

/// The first impacts: when, and what each pair of bodies exchanged.
void add_impacts(Columns& columns, const Model& model, const std::vector<ComparedRun>& runs) {
  constexpr std::size_t kImpactsShown = 3, kPairsShown = 8;
  std::size_t count = 0;
  for (const ComparedRun& run : runs) count = std::max(count, run.impacts.size());
  for (std::size_t n = 0; n < std::min(count, kImpactsShown); ++n) {
    columns.add_of_run(fmt::format("impact {} at [s]", n + 1), [&](const ComparedRun& run) {
      return n < run.impacts.size() ? number(run.impacts[n].t) : std::string("-");
    });
    const std::vector<std::pair<int, int>> pairs = pairs_of(runs, n);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs.size() > kPairsShown && i == kPairsShown / 2) {
        i = pairs.size() - kPairsShown / 2;
        columns.table().add({fmt::format("  ... {} more (--json shows all)", pairs.size() - kPairsShown)});
      }
      columns.add_of_run(fmt::format("  {} [N s]", pair_name(model, pairs[i].first, pairs[i].second)),
                         [&](const ComparedRun& run) { return impulse_in(run, n, pairs[i]); });
    }
    columns.add_rule();
  }
}

Json impact_json(const Model& model, const RunImpact& impact) {
  Json pairs = Json::array();
  for (const PairImpulse& one : impact.pairs)
    pairs.push_back({{"bodies", Json::array({model.bodies()[one.body_a].name, model.bodies()[one.body_b].name})},
                     {"impulse", one.impulse}});
  return {{"t", impact.t}, {"end", impact.end}, {"pairs", pairs}};
}

void add_certificates(Columns& columns, const std::vector<ComparedRun>& runs) {
  columns.add("certificate", [](const RunSummary& summary) {
    if (summary.solved_problems == 0) return std::string("-");
    return summary.inconsistent == 0 ? std::string("consistent")
                                     : fmt::format("{} of {} are not", summary.inconsistent, summary.solved_problems);
  });
  columns.add("worst relative residual", [](const RunSummary& summary) {
    return summary.solved_problems == 0 ? std::string("-") : fmt::format("{:.1e}", worst_residual(summary));
  });
  if (std::any_of(runs.begin(), runs.end(), [](const ComparedRun& run) { return !run.summary->message.empty(); }))
    columns.add("status", [](const RunSummary& summary) { return std::string(to_string(summary.status)); });
  columns.add("computed in", [](const RunSummary& summary) { return computing_time(summary.seconds); });
}

/// A component of the position or of the velocity of a free body.
struct Component {
  std::string label;
  Index row = 0;      // of q or u
  double length = 1;  // [m] of an angle or a spin: the radius of gyration, which makes it comparable with lengths
};

/// The components of all free bodies that have a name; `first` tells where those of a body begin.
template <class First>
std::vector<Component> components(const Model& model, const std::array<std::vector<const char*>, 3>& names,
                                  First&& first) {
  const auto axes = static_cast<std::size_t>(model.dimension());
  std::vector<Component> all;
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) {
    const Body& body = model.bodies()[i];
    if (!body.is_free()) continue;
    const double inertia = axes == 2 ? body.inertia(2, 2) : body.inertia.trace() / 3;
    for (std::size_t k = 0; k < names[axes - 1].size(); ++k)
      all.push_back({fmt::format("{} {}", body.name, names[axes - 1][k]), first(i) + static_cast<Index>(k),
                     k < axes ? 1 : std::sqrt(inertia / body.mass)});
  }
  return all;
}

/// In space without orientations.
std::vector<Component> positions(const Model& model) {
  return components(model, {{{"x [m]"}, {"x [m]", "y [m]", "angle [rad]"}, {"x [m]", "y [m]", "z [m]"}}},
                    [&](int body) { return model.first_position(body); });
}

std::vector<Component> velocities(const Model& model) {
  return components(model,
                    {{{"vx [m/s]"},
                      {"vx [m/s]", "vy [m/s]", "spin [rad/s]"},
                      {"vx [m/s]", "vy [m/s]", "vz [m/s]", "spin x [rad/s]", "spin y [rad/s]", "spin z [rad/s]"}}},
                    [&](int body) { return model.first_velocity(body); });
}

/// The speed that all bodies together have with the energy of the run: far slower ones are at rest.
double usual_speed(const Model& model, const std::vector<ComparedRun>& runs) {
  double mass = 0;
  for (const Body& body : model.bodies())
    if (body.is_free()) mass += body.mass;
  return mass > 0 ? std::sqrt(2 * energy_scale(runs) / mass) : 0;
}

/// What the end has of these, but what is 0 under every law, at least on that scale.
void add_components(Columns& columns, const std::vector<ComparedRun>& runs, std::vector<Component> shown,
                    Vector State::*part, double scale = 0) {
  const auto largest = [&](const Component& one) {
    double value = 0;
    for (const ComparedRun& run : runs)
      value = std::max(value, one.length * std::abs((run.summary->end.*part)[one.row]));
    return value;
  };
  for (const Component& one : shown) scale = std::max(scale, largest(one));
  std::erase_if(shown, [&](const Component& one) { return number(largest(one), scale) == "0"; });
  if (!shown.empty()) columns.add_rule();
  add_rows(columns.table(), shown.size(), [&](std::size_t i) {
    const Component& one = shown[i];
    columns.add(one.label,
                [&](const RunSummary& summary) { return number((summary.end.*part)[one.row], scale / one.length); });
  });
}

}  // namespace

Json to_json(const std::string& scene, const Model& model, const std::vector<ComparedRun>& runs,
             const std::vector<std::string>& left_out) {
  Json result = {{"format", "carom-comparison/1"}, {"scene", scene}, {"runs", Json::array()}, {"left_out", left_out}};
  for (const ComparedRun& run : runs) {
    Json document = *run.document;
    document["label"] = run.column.label();
    document["cost"]["seconds"] = run.summary->seconds;
    document["first_impacts"] = Json::array();
    for (const RunImpact& impact : run.impacts) document["first_impacts"].push_back(impact_json(model, impact));
    result["runs"].push_back(std::move(document));
  }
  return result;
}

Table comparison_table(const Model& model, const std::vector<ComparedRun>& runs) {
  Columns columns(runs);
  add_impacts(columns, model, runs);
  columns.table().add({"at the end"});
  columns.add("impacts", [](const RunSummary& summary) { return std::to_string(summary.impacts); });
  add_energies(columns, runs);
  columns.add_rule();
  add_certificates(columns, runs);
  add_components(columns, runs, positions(model), &State::q);
  add_components(columns, runs, velocities(model), &State::u, usual_speed(model, runs));
  return columns.table();
}

std::string comparison_text(const RunTitle& title, const Model& model, const std::vector<ComparedRun>& runs) {
  std::string text;
  std::istringstream head(heading(title, model) + fmt::format(" for {} s", number(title.duration)));
  for (std::string line; std::getline(head, line);) text += wrapped(line, kWidestTable) + "\n";
  text += "\n" + comparison_table(model, runs).text_within(kWidestTable);
  for (const ComparedRun& run : runs)
    if (const std::string& message = run.summary->message; !message.empty())
      text += wrapped(fmt::format("{}: {}", run.column.label(), message), kWidestTable) + "\n";
  return text;
}

}  // namespace carom::record

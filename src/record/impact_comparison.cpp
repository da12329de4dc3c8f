#include "carom/record/impact_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "carom/record/outcome_json.h"
#include "carom/record/outcome_text.h"

namespace carom::record {
namespace {

double greatest(const Vector& values) {
  return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
}

std::vector<ColumnTitle> titles_of(const std::vector<ImpactOutcome>& outcomes) {
  std::vector<ColumnTitle> titles;
  for (const ImpactOutcome& outcome : outcomes) titles.push_back({*law_by_name(outcome.law)});
  return titles;
}

}  // namespace

Table comparison_table(const ImpactProblem& problem, const std::vector<ImpactOutcome>& outcomes,
                       const std::vector<ColumnTitle>& columns) {
  Table table = table_of(columns.empty() ? titles_of(outcomes) : columns);
  const auto add = [&](const std::string& label, auto&& cell) {
    std::vector<std::string> row = {label};
    for (const ImpactOutcome& outcome : outcomes) row.push_back(outcome.u_plus.size() > 0 ? cell(outcome) : "-");
    table.add(row);
  };
  add_rows(table, static_cast<std::size_t>(problem.M.size()), [&](std::size_t i) {
    add(fmt::format("velocity u[{}]", i), [&](const ImpactOutcome& outcome) {
      return number(outcome.u_plus[i], std::max(greatest(outcome.u_plus), greatest(problem.u_minus)));
    });
  });
  table.add_rule();
  add_rows(table, problem.contacts.size(), [&](std::size_t i) {
    add(fmt::format("gap velocity '{}' [m/s]", problem.contacts[i].name), [&](const ImpactOutcome& outcome) {
      return number(outcome.gamma_plus[outcome.row[i]], greatest(outcome.u_plus) + greatest(outcome.gamma_minus));
    });
  });
  table.add_rule();
  add_rows(table, problem.contacts.size(), [&](std::size_t i) {
    add(fmt::format("impulse '{}' [N s]", problem.contacts[i].name),
        [&](const ImpactOutcome& outcome) { return number(outcome.Lambda[outcome.row[i]], greatest(outcome.Lambda)); });
  });
  table.add_rule();
  if (std::any_of(outcomes.begin(), outcomes.end(), [](const ImpactOutcome& one) { return one.history.has_value(); })) {
    const auto follows = [](auto&& cell) {
      return [cell](const ImpactOutcome& outcome) { return outcome.history ? cell(outcome) : std::string("-"); };
    };
    add("largest force [N]",
        follows([](const ImpactOutcome& outcome) { return number(greatest(*outcome.peak_force)); }));
    add("duration [s]", follows([](const ImpactOutcome& outcome) {
          return outcome.duration ? number(*outcome.duration) : std::string("collapsed");
        }));
    add("re-impacts", follows([](const ImpactOutcome& outcome) {
          const std::vector<long>& count = outcome.history->reimpacts;
          return std::to_string(std::accumulate(count.begin(), count.end(), 0L));
        }));
    table.add_rule();
  }
  add(fmt::format("energy [J] ({} before)", number(outcomes.empty() ? 0 : outcomes[0].energy.before)),
      [](const ImpactOutcome& outcome) { return number(outcome.energy.after, outcome.energy.before); });
  add("unique", [](const ImpactOutcome& outcome) {
    const Uniqueness& unique = outcome.unique;
    if (!unique.u_plus) return std::string(unique.u_plus.denied() ? "no" : "not known");
    if (!unique.impulse.is_known() || !unique.tangential_impulse.is_known()) return std::string("velocities");
    return std::string(unique.impulse && unique.tangential_impulse ? "yes" : "velocities only");
  });
  std::vector<std::string> row = {"certificate"};
  for (const ImpactOutcome& outcome : outcomes) row.push_back(verdict(outcome));
  table.add(row);
  return table;
}

std::string comparison_text(const ImpactProblem& problem, const std::vector<ImpactOutcome>& outcomes,
                            const std::vector<ColumnTitle>& columns) {
  return comparison_table(problem, outcomes, columns).text_within(kWidestTable);
}

Json to_json(const ImpactProblem& problem, const std::vector<ImpactOutcome>& outcomes,
             const std::vector<ColumnTitle>& columns, const std::vector<std::string>& left_out) {
  Json result = {{"format", "carom-comparison/1"}, {"outcomes", Json::array()}, {"left_out", left_out}};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Json outcome = to_json(outcomes[i], problem.contacts);
    outcome["label"] = columns[i].label();
    result["outcomes"].push_back(std::move(outcome));
  }
  return result;
}

}  // namespace carom::record

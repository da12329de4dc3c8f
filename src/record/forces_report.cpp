#include "carom/record/forces_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/record/outcome_json.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

std::string_view forces_word(ContactMode mode) {
  return mode == ContactMode::closed ? "pressed" : word_for(mode);
}

/// The rows of one contact: normal, then tangents.
struct Rows {
  double normal = 0;
  Vector tangential;
};

std::vector<Rows> by_contact(const ImpactProblem& problem, const Vector& values) {
  std::vector<Rows> result;
  Index row = 0;
  for (const Contact& contact : problem.contacts) {
    result.push_back({values[row], values.segment(row + 1, contact.tangents)});
    row += 1 + contact.tangents;
  }
  return result;
}

Json solution_json(const ImpactProblem& problem, const analysis::ForceSolution& solution) {
  Json normal = Json::array(), tangential = Json::array(), opening = Json::array(), sliding = Json::array(),
       modes = Json::array();
  for (const Rows& force : by_contact(problem, solution.lambda)) {
    normal.push_back(force.normal);
    tangential.push_back(to_json(force.tangential));
  }
  for (const Rows& acceleration : by_contact(problem, solution.contact_acceleration)) {
    opening.push_back(acceleration.normal);
    sliding.push_back(to_json(acceleration.tangential));
  }
  for (const ContactMode mode : solution.modes) modes.push_back(forces_word(mode));
  return {{"normal", normal},
          {"tangential", tangential},
          {"acceleration", to_json(solution.acceleration)},
          {"modes", modes},
          {"normal_acceleration", opening},
          {"tangential_acceleration", sliding},
          {"unique_forces", solution.unique_forces}};
}

double largest_of(const Vector& values) {
  return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
}

std::string list(const Vector& values, double scale) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + number(value, scale);
  return text.empty() ? "-" : text;
}

std::string solution_text(const ImpactProblem& problem, const analysis::ForceSolution& solution) {
  const std::vector<Rows> forces = by_contact(problem, solution.lambda);
  const std::vector<Rows> accelerations = by_contact(problem, solution.contact_acceleration);
  const Vector by_forces = problem.M.solve(Vector(problem.W * solution.lambda));  // what the contacts add to u'
  const double strongest = largest_of(solution.lambda),
               quickest = std::max(largest_of(by_forces), largest_of(solution.acceleration));
  const double fastest = std::max(quickest, largest_of(solution.contact_acceleration));
  Table table({"contact", "does", "normal force [N]", "tangential", "acceleration: opening [m/s^2]", "tangential"});
  add_rows(table, forces.size(), [&](std::size_t i) {
    table.add({problem.contacts[i].name, std::string(forces_word(solution.modes[i])),
               number(forces[i].normal, strongest), list(forces[i].tangential, strongest),
               number(accelerations[i].normal, fastest), list(accelerations[i].tangential, fastest)});
  });
  constexpr Index kShown = 24;
  const Vector& u = solution.acceleration;
  std::string result = table.text() + "u' = " + list(u.head(std::min(u.size(), kShown)), quickest);
  if (u.size() > kShown) result += fmt::format(", ... ({} in all)", u.size());
  return result + "\n";
}

}  // namespace

std::string ForcesReport::json() const {
  Json result = {{"format", "carom-forces/1"}, {"status", to_string(forces.status)}, {"message", forces.message},
                 {"solutions", Json::array()}, {"unique", forces.unique()},          {"enumerated", forces.enumerated}};
  for (const analysis::ForceSolution& solution : forces.solutions)
    result["solutions"].push_back(solution_json(problem, solution));
  return result.dump(2) + "\n";
}

std::string ForcesReport::text() const {
  std::string result;
  for (std::size_t i = 0; i < forces.solutions.size(); ++i) {
    if (forces.solutions.size() > 1) result += fmt::format("solution {} of {}\n", i + 1, forces.solutions.size());
    result += solution_text(problem, forces.solutions[i]) + "\n";
  }
  if (!forces.message.empty()) return result + forces.message + "\n";
  return result + (forces.enumerated ? "the only solution\n" : "the only solution that was found\n");
}

}  // namespace carom::record

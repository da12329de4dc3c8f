#include "simulate/run.h"

#include <fmt/format.h>

#include "model/contact_rules.h"
#include "simulate/event_driven.h"
#include "simulate/time_stepping.h"

namespace carom {
namespace {

std::string names(const Model& model, const PartPair& pair) {
  return fmt::format("{} and {}", model.bodies()[static_cast<std::size_t>(pair.body_a)].name,
                     model.bodies()[static_cast<std::size_t>(pair.body_b)].name);
}

bool reads_stiffness(const ImpactLaw& law) {
  return std::visit([]<class L>(const L&) { return reads<L>("k"); }, law);
}

/// Impulses divide by the ratios of stiffnesses, so all or none must be known.
void require_stiffness(const Model& model, const ContactRules& rules, const ImpactLaw& law) {
  if (!reads_stiffness(law)) return;
  std::optional<PartPair> known, unknown;
  for (const PartPair& pair : rules.kinds()) (rules.knows_stiffness(pair) ? known : unknown) = pair;
  if (known && unknown)
    throw InputError("contact", fmt::format("{} needs the stiffness of every contact: that of {} is known, that of {} "
                                            "is not; give k, or E and nu of both materials for smooth bodies",
                                            name_of(law), names(model, *known), names(model, *unknown)));
}

/// An impact of one contact of every kind that may occur: what the law cannot treat it refuses here.
void try_law(const Model& model, const ContactRules& rules, const ImpactLaw& law) {
  const std::vector<PartPair> kinds = rules.kinds();
  if (kinds.empty()) return;
  const Index size = static_cast<Index>(kinds.size());
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(Vector::Ones(size));
  problem.W.resize(size, size);
  problem.W.setIdentity();
  problem.u_minus = Vector::Zero(size);
  for (const PartPair& pair : kinds) {
    const PairProperties known = rules.properties(pair.body_a, pair.body_b);
    Contact contact;
    contact.name = names(model, pair);
    contact.e = known.e;
    contact.mu = known.mu;
    contact.e_t = known.e_t;
    contact.k = known.k.value_or(1);
    contact.eta = known.eta;
    problem.contacts.push_back(contact);
  }
  try {
    solve(problem, law);
  } catch (const InputError& error) {
    const bool of_contact = error.place.starts_with("contacts[");
    throw InputError(of_contact ? "contact" : error.place,
                     fmt::format("{} cannot be used in this scene: {}", name_of(law), error.rule));
  }
}

}  // namespace

void require_scheme_and_law(const Model& model, const Scheme& scheme, const ImpactLaw& law) {
  const ContactRules rules(model);
  if (std::holds_alternative<TimeStepping>(scheme) && has_path(law))
    throw InputError("law", fmt::format("{} follows waves through one impact and a time step is no impact; use the "
                                        "scheme event-driven, or a law such as newton",
                                        name_of(law)));
  require_stiffness(model, rules, law);
  try_law(model, rules, law);
}

RunSummary run(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
               const RunOptions& options, Observer& observer) {
  require_scheme_and_law(model, scheme, law);
  if (const auto* event_driven = std::get_if<EventDriven>(&scheme))
    return run_event_driven(model, start, *event_driven, law, options, observer);
  return run_time_stepping(model, start, std::get<TimeStepping>(scheme), law, options, observer);
}

}  // namespace carom

#include "carom/laws/moreau.h"

#include <fmt/format.h>

#include "carom/laws/normal_complementarity.h"

namespace carom {
namespace {

double common_restitution(const ContactProblem& problem) {
  const std::vector<Contact>& contacts = problem.contacts();
  require_restitution_in_unit_interval(problem, Moreau::name);
  for (std::size_t i = 1; problem.has.least_e < problem.has.greatest_e && i < contacts.size(); ++i)
    if (contacts[i].e != contacts[0].e)
      throw InputError(
          fmt::format("contacts[{}].e", i),
          fmt::format("{} differs from contacts[0].e = {}; moreau has one e for the whole impact: make them "
                      "equal or give the law its own e",
                      contacts[i].e, contacts[0].e));
  return contacts[0].e;
}

}  // namespace

Impulses Moreau::impulses(const ContactProblem& problem) const {
  require_no_friction(problem, name);
  if (e && !(*e >= 0 && *e <= 1)) throw InputError("law.e", fmt::format("{} is outside [0, 1]", *e));
  const NormalProblem normal(problem);
  const double index = e ? *e : common_restitution(problem);
  return impulses_of_rebound(problem, normal, index * normal.gamma_minus, name);
}

}  // namespace carom

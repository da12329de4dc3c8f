#include "carom/laws/newton.h"

#include "carom/laws/friction_complementarity.h"
#include "carom/laws/normal_complementarity.h"

namespace carom {

Newton Newton::renumbered(const ContactOrder& order) const {
  Newton result = *this;
  if (matrix.rows() == matrix.cols() && matrix.rows() == static_cast<Index>(order.contacts.size()))
    result.matrix = matrix(order.contacts, order.contacts);
  return result;
}

Impulses Newton::impulses(const ContactProblem& problem) const {
  const NormalProblem normal(problem);
  Vector rebound(problem.size());  // -gamma+ of a contact that carries an impulse
  if (matrix.size() > 0) {
    require_square(matrix, problem.size(), "law.matrix");
    rebound = matrix * normal.gamma_minus;
  } else {
    require_restitution_in_unit_interval(problem, name);
    for (Index i = 0; i < problem.size(); ++i) rebound[i] = problem.contacts()[i].e * normal.gamma_minus[i];
  }
  if (has_friction(problem))
    return among_others(problem, rebound, {},
                        impulses_with_friction(problem, problem.gamma_free, problem.gamma_terms, rebound, {}, name),
                        name);
  if (problem.options.others != Others::listed) return impulses_of_rebound(problem, normal, std::move(rebound), name);
  return among_others(problem, rebound, {}, impulses_of_rebound(problem, normal, rebound, name), name);
}

}  // namespace carom

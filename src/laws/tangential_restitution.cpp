#include "carom/laws/tangential_restitution.h"

#include <fmt/format.h>

#include "carom/laws/moments.h"
#include "carom/laws/one_contact/closing_contact.h"
#include "carom/numerics/least_norm.h"

namespace carom {
namespace {

constexpr double kCompatibleSlip = 1e-9;  // of the velocities that redundant contacts cannot take, relative
constexpr double kTakesPart = 1e-8;       // of a direction in the kernel of G, relative

void require_tangential_restitution(const ContactProblem& problem) {
  for (std::size_t i = 0; i < problem.contacts().size(); ++i) {
    const Contact& contact = problem.contacts()[i];
    for (const double e_t : {contact.e_t, contact.e_t_2.value_or(contact.e_t)})
      if (!(e_t >= -1 && e_t <= 1))
        throw InputError(fmt::format("contacts[{}].e_t", i),
                         fmt::format("{} is outside [-1, 1]; -1 leaves the slip alone, 1 reverses it", e_t));
  }
}

/// The rows of closing contacts and the velocities after the impact that they ask for.
struct Targets {
  std::vector<Index> rows, normals;  // of all; those of normals, among them
  Vector velocity;

  explicit Targets(const ContactProblem& problem) {
    std::vector<double> asked;
    for (const Index i : one_contact::closing_contacts(problem)) {
      const Contact& contact = problem.contacts()[i];
      const Index row = problem.row[i];
      normals.push_back(static_cast<Index>(rows.size()));
      for (Index t = 0; t <= contact.tangents; ++t) {
        rows.push_back(row + t);
        const double e = t == 0 ? contact.e : t == 2 && contact.e_t_2 ? *contact.e_t_2 : contact.e_t;
        asked.push_back(-e * problem.gamma_minus[row + t]);
      }
    }
    velocity = Eigen::Map<const Vector>(asked.data(), static_cast<Index>(asked.size()));
  }
};

Impulses incompatible() {
  Impulses impulses;
  impulses.status = Status::no_solution;
  impulses.message = fmt::format("{}: the closing contacts, or the moments, ask for velocities that exclude each other",
                                 TangentialRestitution::name);
  return impulses;
}

}  // namespace

Impulses TangentialRestitution::impulses(const ContactProblem& problem) const {
  require_restitution_in_unit_interval(problem, name);
  require_tangential_restitution(problem);
  const Moments moments(problem, moment, moment_directions);
  const Targets targets(problem);
  if (targets.rows.empty()) return one_contact::no_impact(problem);

  const ContactProblem& seen = moments.contacts();
  const Matrix G = Matrix(seen.G)(targets.rows, targets.rows);
  const Vector free = seen.gamma_free(targets.rows);
  const numerics::PseudoSolution solution = numerics::pseudo_solve(G, targets.velocity - free);
  const double speed = std::max(free.cwiseAbs().maxCoeff(), targets.velocity.cwiseAbs().maxCoeff());
  const Vector residual = G * solution.x + free - targets.velocity;
  if (solution.residual > kCompatibleSlip || residual.cwiseAbs().maxCoeff() > kCompatibleSlip * speed)
    return incompatible();

  Impulses impulses = one_contact::no_impact(problem);
  impulses.Lambda(targets.rows) = solution.x;
  if (solution.kernel.cols() > 0) {
    const double largest = solution.kernel.cwiseAbs().maxCoeff();
    const Matrix of_normals = solution.kernel(targets.normals, Eigen::all);
    impulses.unique.impulse = of_normals.cwiseAbs().maxCoeff() <= kTakesPart * largest;
    impulses.unique.tangential_impulse = !problem.has_tangents();
  }
  moments.add_to(impulses);
  return impulses;
}

}  // namespace carom

#include "carom/simulate/crowd_answer.h"

#include <algorithm>
#include <utility>

#include "carom/impact/solve.h"
#include "carom/laws/newton.h"
#include "carom/numerics/block_sweeps.h"

namespace carom::simulate {
namespace {

constexpr double kAccuracyOfFew = 1e-6, kAccuracyOfCrowd = 1e-3;
constexpr double kResidualMargin = 10;  // of the residual: how far velocities may be off

/// Whether friction and restitution are one number each at every contact.
bool has_plain_contacts(const ImpactProblem& problem) {
  return std::none_of(problem.contacts.begin(), problem.contacts.end(), [](const Contact& contact) {
    return contact.has_ellipse() || contact.static_friction() > contact.mu || contact.e_of;
  });
}

/// Whether Newton's equations are the law's.
bool is_newtons(const ImpactLaw& law, const ImpactProblem& problem) {
  if (const Newton* newton = std::get_if<Newton>(&law)) return newton->matrix.size() == 0;
  const Moreau* moreau = std::get_if<Moreau>(&law);
  if (!std::holds_alternative<Poisson>(law) && !(moreau && moreau->e.value_or(0) == 0)) return false;
  return std::all_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const Contact& contact) { return contact.e == 0; });
}

std::vector<numerics::FrictionCone> cones_in_rows(const ImpactProblem& problem) {
  std::vector<numerics::FrictionCone> cones;
  cones.reserve(problem.contacts.size());
  Index row = 0;
  for (const Contact& contact : problem.contacts) {
    cones.push_back({.row = row, .tangents = contact.tangents, .mu = contact.mu});
    row += 1 + contact.tangents;
  }
  return cones;
}

}  // namespace

double accuracy_for(const TimeStepping& scheme, geometry::Dimension dimension, std::size_t contacts) {
  const Index rows = static_cast<Index>(contacts) * static_cast<Index>(dimension);
  return scheme.accuracy.value_or(rows <= kCrowd ? kAccuracyOfFew : kAccuracyOfCrowd);
}

std::optional<Answer> crowd_answer(const ImpactProblem& problem, const ImpactLaw& law, Index each,
                                   SolveOptions& options) {
  if (problem.W.cols() <= kCrowd || problem.J.cols() > 0 || !(options.accuracy > 0) || !is_newtons(law, problem) ||
      !has_plain_contacts(problem))
    return std::nullopt;
  std::vector<numerics::FrictionCone> cones = cones_in_rows(problem);
  if (!numerics::has_blocks(problem.W, cones, each)) return std::nullopt;
  ContactProblem reduced = reduce_without_G(problem, options);
  const Index contacts = reduced.size();
  numerics::BlockProblem blocks{each,
                                problem.W,
                                numerics::inverse_blocks(problem.M, each),
                                problem.u_minus,
                                Vector::Zero(problem.W.cols()),
                                reduced.gamma_terms,
                                std::move(cones)};
  if (problem.p.size() > 0) blocks.u_free += problem.M.solve(problem.p);
  if (problem.drift.size() > 0) blocks.offset = problem.drift;
  Impulses impulses;
  impulses.gamma_bound.resize(contacts);
  double speed = 0;
  for (Index i = 0; i < contacts; ++i) {
    const Index row = reduced.row[i];
    const double rebound = problem.contacts[i].e * reduced.gamma_minus[row];
    blocks.offset[row] += problem.contacts[i].gap_rate + rebound;
    blocks.terms[row] += std::abs(rebound);
    impulses.gamma_bound[i] = -rebound;
    speed = std::max({speed, std::abs(reduced.gamma_free[row] + rebound), std::abs(reduced.gamma_minus[row])});
  }
  numerics::BlockSolution found = numerics::solve_by_sweeps(blocks, options.accuracy, options.guess);
  if (!found.solved) {
    if (found.x.allFinite()) options.guess = std::move(found.x);
    return std::nullopt;
  }
  const double together = speed > 0 ? std::max(1.0, blocks.terms.maxCoeff() / speed) : 1;
  impulses.accuracy = together * std::max(options.accuracy, kResidualMargin * found.residual);
  impulses.residual = found.residual;
  impulses.Lambda = std::move(found.x);
  impulses.unique = {Claim::unknown(), Claim::unknown(), Claim::unknown()};
  impulses.cost.iterations = found.sweeps;
  reduced.G = SparseMatrix(found.diagonal.asDiagonal());
  Answer answer;
  answer.residual = found.residual;
  answer.outcome = judge(std::move(reduced), {Newton::name, true, false, false, true}, std::move(impulses));
  return answer;
}

}  // namespace carom::simulate

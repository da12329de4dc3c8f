#include "impact_judge.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <ctime>
#include <functional>
#include <numeric>

namespace carom::soak {
namespace {

constexpr double kMomentum = 1e-9;    // of the terms of the impact equation
constexpr double kLoose = 10;         // times the tolerance of a certificate: what it must see
constexpr double kSame = 1e-6;        // of the velocities in the kinetic metric
constexpr double kSureOf = 1e-4;      // a certificate with a larger tolerance claims nothing
constexpr double kConditioned = 1e8;  // problems whose masses and directions are worse lose more digits than kSame
constexpr double kMassRatio = 1e12;
constexpr long kRattles = 50;  // events a contact: then rounding decides the last digits, as the law says itself

double kinetic_norm(const MassMatrix& M, const Vector& u) {
  return std::sqrt(std::max(0.0, 2 * M.kinetic_energy(u)));
}

/// Of all that moves: what there was, what smooth impulses and stored energy add, what is left.
double speed_of(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const double pushed = problem.p.size() > 0 ? std::sqrt(problem.M.inverse_norm_squared(problem.p)) : 0;
  return kinetic_norm(problem.M, problem.u_minus) + kinetic_norm(problem.M, outcome.u_plus) + pushed +
         std::sqrt(2 * outcome.energy.stored_before);
}

/// What the problem is made of, with zeros where it leaves something out.
struct Parts {
  explicit Parts(const ImpactProblem& problem)
      : M(problem.M.to_dense()),
        W(problem.W),
        J(problem.J.size() > 0 ? Matrix(problem.J) : Matrix(Matrix::Zero(M.rows(), 0))),
        p(problem.p.size() > 0 ? problem.p : Vector(Vector::Zero(M.rows()))),
        drift(problem.drift.size() > 0 ? problem.drift : Vector(Vector::Zero(W.cols()))) {}
  Matrix M, W, J;
  Vector p, drift;
};

/// Momentum that neither contacts nor joints account for, in the kinetic metric and relative to what moves.
double lost_momentum(const ImpactProblem& problem, const ImpactOutcome& outcome, const Parts& parts) {
  const Eigen::LLT<Matrix> factor(parts.M);
  Vector left = parts.M * (outcome.u_plus - problem.u_minus) - parts.p - parts.W * outcome.Lambda;
  if (outcome.generalized_impulse.size() > 0) left -= outcome.generalized_impulse;
  Vector half = factor.matrixL().solve(left);
  const Matrix held = factor.matrixL().solve(parts.J);
  if (held.cols() > 0) half -= held * held.completeOrthogonalDecomposition().solve(half);
  double terms = speed_of(problem, outcome);
  for (Index i = 0; i < outcome.Lambda.size(); ++i)
    terms += std::abs(outcome.Lambda[i]) * Vector(factor.matrixL().solve(Vector(parts.W.col(i)))).norm();
  return terms > 0 ? half.norm() / terms : half.norm();
}

/// What a person would call a violation, each relative to what moves: empty if there is none.
std::string violation(const ImpactProblem& problem, const ImpactOutcome& outcome, const Parts& parts,
                      double tolerance) {
  const Vector gamma = parts.W.transpose() * outcome.u_plus + parts.drift;
  const double speed = speed_of(problem, outcome);
  const Eigen::LLT<Matrix> factor(parts.M);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Index row = outcome.row[i];
    const double reach = Vector(factor.matrixL().solve(Vector(parts.W.col(row)))).norm();
    const double fast = reach * speed + std::abs(parts.drift[row]);
    if (gamma[row] < -tolerance * fast)
      return fmt::format("contact {} penetrates at {:.2g} of {:.2g}", i, -gamma[row], fast);
    const double pull = -outcome.Lambda[row] * reach;
    if (pull > tolerance * speed) return fmt::format("contact {} pulls by {:.2g} of {:.2g}", i, pull, speed);
  }
  const double given = problem.M.kinetic_energy(problem.u_minus) + outcome.energy.stored_before;
  const double work = std::abs(outcome.energy.wall_work) + std::abs(outcome.energy.smooth_work);
  const double gain =
      problem.M.kinetic_energy(outcome.u_plus) - given - outcome.energy.wall_work - outcome.energy.smooth_work;
  if (gain > tolerance * (speed * speed + outcome.energy.stored_before + work))
    return fmt::format("energy grows by {:.2g} of {:.2g} J", gain, given + work);
  return "";
}

}  // namespace

std::string fault_of(const RandomImpact& impact, const ImpactOutcome& outcome) {
  const auto finite = [](const Vector& v) { return v.allFinite(); };
  const Certificate& certificate = outcome.certificate;
  if (outcome.status == Status::no_solution)
    return outcome.u_plus.size() == 0 ? "" : "answer: no solution, but there is one";
  if (!finite(outcome.u_plus) || !finite(outcome.Lambda) || !finite(outcome.gamma_plus) ||
      !std::isfinite(outcome.energy.after))
    return "nan: something is no number";
  if (!(certificate.tolerance > 0 && certificate.tolerance <= 0.1)) return "tolerance: of the certificate is none";
  if (!outcome.solved()) return "";
  const Parts parts(impact.problem);
  if (const double lost = lost_momentum(impact.problem, outcome, parts); !(lost <= kMomentum))
    return fmt::format("momentum: {:.2g} of it is lost", lost);
  if (!certificate.consistent || certificate.tolerance > kSureOf) return "";
  const std::string seen = violation(impact.problem, outcome, parts, kLoose * std::max(certificate.tolerance, 1e-9));
  return seen.empty() ? "" : "unflagged: " + seen;
}

namespace {

// ---- The same impact, said otherwise

struct Otherwise {
  ImpactProblem problem;
  ImpactLaw law;
  std::function<Vector(const Vector&)> back;  // of a velocity
};

std::vector<Index> columns_of(const ImpactProblem& problem, const std::vector<std::size_t>& order) {
  std::vector<Index> first;
  Index next = 0;
  for (const Contact& contact : problem.contacts) {
    first.push_back(next);
    next += 1 + contact.tangents;
  }
  std::vector<Index> columns;
  for (const std::size_t i : order)
    for (int t = 0; t <= problem.contacts[i].tangents; ++t) columns.push_back(first[i] + t);
  return columns;
}

Otherwise reversed(const RandomImpact& impact) {
  std::vector<std::size_t> order(impact.problem.contacts.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  const std::vector<Index> columns = columns_of(impact.problem, order);
  Otherwise result{impact.problem, impact.law, [](const Vector& u) { return u; }};
  result.problem.W = Matrix(Matrix(impact.problem.W)(Eigen::all, columns)).sparseView();
  if (impact.problem.drift.size() > 0) result.problem.drift = impact.problem.drift(columns);
  for (std::size_t i = 0; i < order.size(); ++i) result.problem.contacts[i] = impact.problem.contacts[order[i]];
  return result;
}

/// Coordinates point the other way; so do tangents.
Otherwise mirrored(const RandomImpact& impact) {
  Otherwise result{impact.problem, impact.law, [](const Vector& u) { return Vector(-u); }};
  ImpactProblem& problem = result.problem;
  problem.u_minus = -problem.u_minus;
  problem.W = -problem.W;
  if (problem.J.size() > 0) problem.J = -problem.J;
  if (problem.p.size() > 0) problem.p = -problem.p;
  return result;
}

Otherwise in_other_units(const RandomImpact& impact) {
  static constexpr double mass = 1e3, speed = 1.0 / 64;
  Otherwise result{impact.problem, impact.law, [](const Vector& u) { return Vector(u / speed); }};
  ImpactProblem& problem = result.problem;
  problem.M = MassMatrix::dense(mass * problem.M.to_dense());
  problem.u_minus *= speed;
  if (problem.drift.size() > 0) problem.drift *= speed;
  if (problem.p.size() > 0) problem.p *= mass * speed;
  for (Contact& contact : problem.contacts) {  // the unit of time stays: forces by mass speed, lengths by speed
    contact.E0 *= mass * speed * speed;
    contact.k *= mass * speed / std::pow(speed, contact.eta);
  }
  return result;
}

bool is_well_conditioned(const ImpactProblem& problem, bool must_be_regular) {
  const Vector masses = problem.M.to_dense().diagonal();
  if (masses.maxCoeff() > kMassRatio * masses.minCoeff()) return false;
  const ContactProblem reduced = reduce(problem);
  Matrix G = reduced.G;
  for (Index i = 0; i < G.rows(); ++i) {
    const double root = G(i, i) > 0 ? 1 / std::sqrt(G(i, i)) : 0;
    G.row(i) *= root;
    G.col(i) *= root;
  }
  Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(G, Eigen::EigenvaluesOnly).eigenvalues();
  double least = values.maxCoeff();
  for (const double value : values)  // redundant contacts are no trouble, but to a law of equations
    if (must_be_regular || value > 1e-13 * values.maxCoeff()) least = std::min(least, value);
  return least * kConditioned > values.maxCoeff();
}

std::string same_otherwise(const RandomImpact& impact, const ImpactOutcome& outcome) {
  const bool rattles = outcome.events.value_or(0) > kRattles * static_cast<long>(impact.problem.contacts.size()) ||
                       outcome.certificate.tolerance > kSame;
  const double scale = speed_of(impact.problem, outcome);
  const auto differs = [&](const char* how, const Otherwise& other) -> std::string {
    const ImpactOutcome again = solve(other.problem, other.law);
    if (rattles || !again.unique.u_plus) return "";
    if (again.status != outcome.status)
      return again.status == Status::iteration_limit
                 ? ""
                 : fmt::format("{}: {} instead of {}", how, to_string(again.status), to_string(outcome.status));
    const double apart = kinetic_norm(impact.problem.M, other.back(again.u_plus) - outcome.u_plus);
    return apart <= kSame * scale ? "" : fmt::format("{}: u+ differs by {:.2g}", how, apart / scale);
  };
  std::string fault = differs("units", in_other_units(impact));
  if (fault.empty()) fault = differs("mirror", mirrored(impact));
  if (fault.empty()) fault = differs("order", reversed(impact));
  return fault;
}

}  // namespace

JudgedImpact judge_impact(const RandomImpact& impact, bool again) {
  JudgedImpact result;
  ImpactOutcome outcome;
  const std::clock_t start = std::clock();
  const auto elapsed = [&] { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; };
  try {
    outcome = solve(impact.problem, impact.law);
  } catch (const InputError& error) {
    result.status = "refused";
    result.seconds = elapsed();
    if (error.rule.empty()) result.fault = "refused: without a rule";
    return result;
  }
  result.seconds = elapsed();
  result.status = to_string(outcome.status);
  result.message = outcome.message;
  result.fault = fault_of(impact, outcome);
  const bool orders_axes = std::holds_alternative<GeneralizedKinematic>(impact.law);  // its header says so
  if (!again || !result.fault.empty() || !outcome.solved() || !outcome.unique.u_plus || orders_axes) return result;
  if (!is_well_conditioned(impact.problem, std::holds_alternative<TangentialRestitution>(impact.law))) return result;
  result.compared = true;
  result.fault = same_otherwise(impact, outcome);
  if (result.fault.empty() && impact.tangential) result.fault = other_start(impact, outcome);
  return result;
}

}  // namespace carom::soak

#include "carom/analysis/admissible_set.h"

#include <cmath>
#include <vector>

#include "carom/base/random.h"
#include "carom/impact/law.h"
#include "carom/numerics/lcp.h"
#include "carom/numerics/least_norm.h"
#include "carom/numerics/qp.h"

namespace carom::analysis {
namespace {

using numerics::LcpStatus;

constexpr int kRegulaFalsi = 60;         // upper bound; the root is down to rounding long before
constexpr double kStill = 1e-12;         // of energies and gains in units of the impact: smaller ones are rounding
constexpr int kStepsBetweenSamples = 8;  // of hit and run, plus one per contact

SparseMatrix normal_columns(const ContactProblem& problem) {
  const SparseMatrix& W = problem.impact->W;
  if (!problem.has_tangents()) return W;
  SparseMatrix normals(W.rows(), problem.size());
  for (Index i = 0; i < problem.size(); ++i) {
    normals.startVec(i);
    for (SparseMatrix::InnerIterator entry(W, problem.row[i]); entry; ++entry)
      normals.insertBack(entry.row(), i) = entry.value();
  }
  normals.finalize();
  return normals;
}

}  // namespace

AdmissibleSet::AdmissibleSet(const ImpactProblem& problem) : problem_(reduce(problem)) {
  require_no_friction(problem_, "the admissible set");
  const NormalProblem normal(problem_);
  normals_ = normal_columns(problem_);
  G_ = normal.G();
  gamma_free_ = normal.gamma_free;
  u_free_ = problem.u_minus;
  if (problem.p.size() > 0) u_free_ += problem.M.solve(problem.p);
  if (!problem_.joints.empty()) u_free_ = problem_.joints.project(u_free_);
  const numerics::LcpSolution lcp = numerics::solve_lcp(G_, gamma_free_);
  possible_ = lcp.status == LcpStatus::solved;
  Lambda_0_ = lcp.x;
  if (possible_) max_dissipation_ = velocity(Lambda_0_);
}

Vector AdmissibleSet::velocity(const Vector& Lambda) const {
  const Vector change = problem_.impact->M.solve(normals_ * Lambda);
  return u_free_ + (problem_.joints.empty() ? change : problem_.joints.project(change));
}

double AdmissibleSet::excess(const Vector& Lambda) const {
  return Lambda.dot(gamma_free_ + 0.5 * (G_ * Lambda));
}

Judgement AdmissibleSet::judge(const Vector& u_plus, double tolerance) const {
  const ImpactProblem& impact = *problem_.impact;
  if (u_plus.size() != impact.M.size()) throw InputError("", "a candidate velocity must be as long as u");
  Judgement result;
  result.u_plus = u_plus;
  const double energy = impact.M.kinetic_energy(u_plus) + impact.M.kinetic_energy(impact.u_minus);
  const double size = std::sqrt(2 * energy);
  const auto length = [&](const Vector& u) { return std::sqrt(2 * impact.M.kinetic_energy(u)); };

  Vector gamma_plus = normals_.transpose() * u_plus;
  if (impact.drift.size() > 0) gamma_plus += impact.drift(problem_.row);
  const Vector diagonal = G_.diagonal();
  result.kinematic = problem_.joints.empty() || length(u_plus - problem_.joints.project(u_plus)) <= tolerance * size;
  for (Index i = 0; i < gamma_plus.size(); ++i)
    if (gamma_plus[i] < -tolerance * (size * std::sqrt(diagonal[i]) + std::abs(gamma_free_[i])))
      result.kinematic = false;

  const Vector change = normals_.transpose() * (u_plus - u_free_);
  const numerics::LcpSolution nearest = numerics::solve_lcp(G_, -change);
  result.kinetic = nearest.status == LcpStatus::solved && length(u_plus - velocity(nearest.x)) <= tolerance * size;
  result.impulse = nearest.x;
  if (!result.kinetic) result.impulse = numerics::pseudo_solve(G_, change).x;

  double available = impact.M.kinetic_energy(u_free_);
  if (impact.drift.size() > 0) available -= impact.drift(problem_.row).dot(result.impulse);
  const double lost = available - impact.M.kinetic_energy(u_plus);
  result.energetic = lost >= -tolerance * (energy + std::abs(available));
  const double most = possible_ ? -excess(Lambda_0_) : 0;
  if (most > tolerance * energy) {
    double squared = 1 - lost / most;
    if (std::abs(squared) <= tolerance) squared = 0;
    result.dissipation_level = std::copysign(std::sqrt(std::abs(squared)), squared);
  }
  return result;
}

/// Maximizes direction . gamma over Lambda >= 0, gamma = gamma_free + G Lambda >= 0, excess <= 0. With a multiplier 1/t
/// on the energy this is a quadratic program in (Lambda, gamma) whose excess grows with t; t is found by regula falsi.
/// In unknowns of unit diagonal, so that all is of order one.
std::optional<Vector> AdmissibleSet::extreme(const Vector& direction) const {
  const Vector diagonal = G_.diagonal();
  std::vector<Index> movable;  // joints may hold the others fast
  for (Index i = 0; i < diagonal.size(); ++i)
    if (diagonal[i] > 0) movable.push_back(i);
  const Index m = static_cast<Index>(movable.size());
  const Vector unit = unit_scale(diagonal(movable)), free = gamma_free_(movable);
  const double speed = m > 0 ? unit.cwiseProduct(free).cwiseAbs().maxCoeff() : 0;
  if (!(speed > 0)) return Lambda_0_;
  const Matrix G = unit.asDiagonal() * Matrix(G_)(movable, movable) * unit.asDiagonal();
  const Vector gamma = unit.cwiseProduct(free) / speed, pull = (G * direction(movable)).normalized();
  Matrix H = Matrix::Zero(2 * m, 2 * m), constraint(m, 2 * m);
  H.topLeftCorner(m, m) = G;
  constraint << G, -Matrix::Identity(m, m);
  struct Trial {
    Vector Lambda;
    double excess;
  };
  const auto at = [&](double t) -> std::optional<Trial> {
    Vector c = Vector::Zero(2 * m);
    c.head(m) = gamma - t * pull;
    const numerics::QpSolution qp = numerics::solve_qp(H, c, constraint, -gamma);
    if (qp.status != LcpStatus::solved) return std::nullopt;
    const Vector Lambda = qp.v.head(m);
    return Trial{Lambda, Lambda.dot(gamma + 0.5 * (G * Lambda))};
  };
  const auto answer = [&](const Vector& Lambda) {
    Vector all = Vector::Zero(diagonal.size());
    all(movable) = speed * unit.cwiseProduct(Lambda);
    return all;
  };

  double low = 0, high = 1;
  std::optional<Trial> inside = at(0), outside;
  if (!inside) return std::nullopt;
  for (;; high *= 4) {
    outside = at(high);
    if (!outside) return answer(inside->Lambda);
    if (outside->excess > kStill) break;
    const double gain = pull.dot(outside->Lambda - inside->Lambda);
    inside = outside;
    if (high > 1 && gain <= kStill) return answer(inside->Lambda);  // the energy does not bind
    low = high;
  }
  double low_value = std::min(inside->excess, -kStill), high_value = outside->excess;
  for (int step = 0; step < kRegulaFalsi && high - low > kStill * high; ++step) {
    const double t = (low * high_value - high * low_value) / (high_value - low_value);
    const std::optional<Trial> trial = at(t);
    if (!trial) return std::nullopt;
    if (std::abs(trial->excess) <= kStill) return answer(trial->Lambda);
    if (trial->excess > 0) {
      high = t;
      high_value = trial->excess;
      low_value *= 0.5;
    } else {
      low = t;
      low_value = trial->excess;
      high_value *= 0.5;
      inside = trial;
    }
  }
  return answer(inside->Lambda);
}

std::optional<std::vector<AdmissibleSet::Range>> AdmissibleSet::ranges() const {
  const Index m = G_.rows();
  if (!possible_ || m > kMostContactsForRanges) return std::nullopt;
  std::vector<Range> result;
  for (Index i = 0; i < m; ++i) {
    const std::optional<Vector> least = extreme(-Vector::Unit(m, i)), largest = extreme(Vector::Unit(m, i));
    if (!least || !largest) return std::nullopt;
    const auto gamma = [&](const Vector& Lambda) { return gamma_free_[i] + (G_ * Lambda)[i]; };
    result.push_back({std::max(0.0, gamma(*least)), gamma(*largest)});
  }
  return result;
}

std::vector<Vector> AdmissibleSet::samples(int count, std::uint64_t seed, Watch* watch) const {
  std::vector<Vector> result;
  if (!possible_ || count <= 0) return result;
  const Index m = G_.rows();
  // Start inside: the mean of points that lie far apart.
  Vector Lambda = 1.5 * Lambda_0_;
  int parts = 1;
  for (Index i = 0; i < m && m <= kMostContactsForRanges; ++i)
    for (const double sign : {-1.0, 1.0})
      if (const std::optional<Vector> corner = extreme(sign * Vector::Unit(m, i))) {
        Lambda += *corner;
        ++parts;
      }
  Lambda /= parts;

  Random random(seed);
  Vector diagonal = G_.diagonal(), direction(m);
  const auto step = [&] {
    for (Index i = 0; i < m; ++i) direction[i] = diagonal[i] > 0 ? random.normal() / std::sqrt(diagonal[i]) : 0;
    const Vector turn = G_ * direction, gamma = gamma_free_ + G_ * Lambda;
    // excess(Lambda + t d) = a t^2 + b t + c <= 0 with a > 0, c <= 0
    const double a = 0.5 * direction.dot(turn), b = direction.dot(gamma), c = std::min(0.0, excess(Lambda));
    if (!(a > 0)) return;
    const double root = std::sqrt(b * b - 4 * a * c);
    double low = (-b - root) / (2 * a), high = (-b + root) / (2 * a);
    const auto keep_positive = [&](double value, double slope) {
      if (slope > 0) low = std::max(low, -std::max(0.0, value) / slope);
      if (slope < 0) high = std::min(high, std::max(0.0, value) / -slope);
    };
    for (Index i = 0; i < m; ++i) {
      keep_positive(Lambda[i], direction[i]);
      keep_positive(gamma[i], turn[i]);
    }
    if (high > low) Lambda = (Lambda + (low + (high - low) * random.uniform()) * direction).cwiseMax(0);
  };
  for (int k = 0; k < count && goes_on_to_end(watch, static_cast<double>(k) / count); ++k) {
    for (Index thin = 0; thin < kStepsBetweenSamples + m; ++thin) step();
    result.push_back(velocity(Lambda));
  }
  return result;
}

}  // namespace carom::analysis

#include "analysis/admissible_set.h"

#include <cmath>

#include "analysis/random.h"
#include "impact/law.h"
#include "numerics/lcp.h"
#include "numerics/least_norm.h"

namespace carom {
namespace {

using numerics::LcpStatus;

constexpr int kBisections = 200;            // upper bound; the interval is down to rounding long before
constexpr double kUnbounded = 1e12;         // multiplier, relative: beyond it the energy does not bind
constexpr int kStepsBetweenSamples = 8;     // of hit and run, plus one a contact

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
    if (gamma_plus[i] < -tolerance * (size * std::sqrt(diagonal[i]) + std::abs(gamma_free_[i]))) result.kinematic = false;

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
    const double squared = 1 - lost / most;
    result.dissipation_level = std::copysign(std::sqrt(std::abs(squared)), squared);
  }
  return result;
}

/// Maximizes direction . gamma over Lambda >= 0, gamma = gamma_free + G Lambda >= 0, excess <= 0. With a multiplier 1/t on the
/// energy the optimum is the complementarity problem
///   0 <= G Lambda - G alpha + gamma_free - t G direction _|_ Lambda >= 0,   0 <= G Lambda + gamma_free _|_ alpha >= 0,
/// positive semidefinite but not symmetric; the excess grows with t, and t is found by bisection.
std::optional<Vector> AdmissibleSet::extreme(const Vector& direction) const {
  const Index m = G_.rows();
  const Matrix G = G_;
  Matrix A = Matrix::Zero(2 * m, 2 * m);
  A.topLeftCorner(m, m) = G;
  A.topRightCorner(m, m) = -G;
  A.bottomLeftCorner(m, m) = G;
  const Vector pull = G * direction;
  const auto at = [&](double t) -> std::optional<Vector> {
    Vector q(2 * m);
    q << gamma_free_ - t * pull, gamma_free_;
    const numerics::LcpSolution lcp = numerics::solve_lemke(A, q);
    if (lcp.status != LcpStatus::solved) return std::nullopt;
    return Vector(lcp.x.head(m));
  };
  std::optional<Vector> inside = Lambda_0_;
  const double unit = gamma_free_.norm() / (pull.norm() > 0 ? pull.norm() : 1);
  double low = 0, high = unit;
  for (;; high *= 4) {
    const std::optional<Vector> candidate = at(high);
    if (!candidate) return inside;
    if (excess(*candidate) > 0) break;
    inside = candidate;
    low = high;
    if (high > kUnbounded * unit) return inside;
  }
  for (int step = 0; step < kBisections; ++step) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    const std::optional<Vector> candidate = at(middle);
    if (!candidate) return std::nullopt;
    if (excess(*candidate) > 0) {
      high = middle;
    } else {
      low = middle;
      inside = candidate;
    }
  }
  return inside;
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

std::vector<Vector> AdmissibleSet::samples(int count, std::uint64_t seed) const {
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
  for (int k = 0; k < count; ++k) {
    for (Index thin = 0; thin < kStepsBetweenSamples + m; ++thin) step();
    result.push_back(velocity(Lambda));
  }
  return result;
}

}  // namespace carom

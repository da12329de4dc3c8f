#include "carom/laws/springs/friction.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/numerics/decompositions.h"

namespace carom::springs {
namespace {

constexpr double kRank = 1e-10;  // eigenvalues of G of sticking rows below this share of the largest are zero
constexpr double kHolds = 1e-9;  // accelerations below this share of their terms are none
constexpr int kRoundsOfSharing = 100;
constexpr double kFits = 1e-12;  // more than its friction that a contact may get
constexpr double kWorkOfAngles = 2, kWorkOfSharing = 1, kWorkOfProgram = 4;  // in evaluations of the motion
constexpr double kCheapSystem = 300;                                         // n^3 of one that costs no more
constexpr int kAngleSteps = 20;  // of Newton's method for directions of slip
constexpr double kAngleError = 1e-14;

/// Of a dense system.
double relative_cost(Index size) {
  return 1 + std::pow(static_cast<double>(size), 3) / kCheapSystem;
}

Matrix part(const SparseMatrix& G, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  Matrix result(rows.size(), columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i) result(i, j) = G.coeff(rows[i], columns[j]);
  return result;
}

}  // namespace

Friction::Friction(const ContactProblem& problem)
    : mode(problem.size(), ContactMode::open),
      heading(problem.size(), 0.0),
      problem_(problem),
      acts_(problem.size(), 0) {
  for (Index i = 0; i < problem.size(); ++i) acts_[i] = tangents(i) > 0 && mu(i) > 0;
}

double Friction::row_times(Index row, const double* values) const {
  double sum = 0;
  for (SparseMatrix::InnerIterator entry(problem_.G, row); entry; ++entry) sum += entry.value() * values[entry.row()];
  return sum;
}

/// The size of the terms of such a product.
double Friction::row_terms(Index row, const double* values) const {
  double sum = 0;
  for (SparseMatrix::InnerIterator entry(problem_.G, row); entry; ++entry)
    sum += std::abs(entry.value() * values[entry.row()]);
  return sum;
}

void Friction::add_tangential(const double* gamma, double* force) const {
  for (const Index i : slipping_) {
    const Index row = problem_.row[i];
    const double most = mu(i) * force[row];
    if (tangents(i) == 1) {
      force[row + 1] = -most * heading[i];
      continue;
    }
    const double speed = std::hypot(gamma[row + 1], gamma[row + 2]);
    for (int t = 1; t <= 2; ++t) force[row + t] = speed > 0 ? -most * gamma[row + t] / speed : 0;
  }
  if (stuck_rows_.empty() && start_rows_.empty()) return;
  const auto pushes = [&](const std::vector<Index>& rows) {
    Vector result(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) result[i] = row_times(rows[i], force);
    return result;
  };
  Vector pushed = pushes(stuck_rows_);
  if (!start_rows_.empty()) {
    start_slipping(pushes(start_rows_) - coupling_.transpose() * (held_ * pushed), force);
    Vector started(start_rows_.size());
    for (std::size_t i = 0; i < start_rows_.size(); ++i) started[i] = force[start_rows_[i]];
    pushed += coupling_ * started;
  }
  const Vector hold = holding(pushed, force);
  for (std::size_t i = 0; i < stuck_rows_.size(); ++i) force[stuck_rows_[i]] = hold[i];
}

/// Directions in which friction lets contacts go: the acceleration of each is against its friction.
void Friction::start_slipping(const Vector& pushed, double* force) const {
  const Index count = static_cast<Index>(starting_.size());
  Vector angle(count), friction(2 * count);
  for (Index j = 0; j < count; ++j) angle[j] = heading[starting_[j]];
  for (int step = 0; step < kAngleSteps; ++step) {
    work += kWorkOfAngles * relative_cost(count);
    Matrix across = Matrix::Zero(2 * count, count);
    for (Index j = 0; j < count; ++j) {
      const double most = mu(starting_[j]) * force[problem_.row[starting_[j]]];
      friction.segment(2 * j, 2) << -most * std::cos(angle[j]), -most * std::sin(angle[j]);
      across.block(2 * j, j, 2, 1) << -std::sin(angle[j]), std::cos(angle[j]);
    }
    if (step + 1 == kAngleSteps) break;
    const Vector acceleration = pushed + mobility_ * friction;
    Vector residual(count);
    Matrix J(count, count);
    Matrix turned(2 * count, count);  // derivative of the friction by the angles
    for (Index k = 0; k < count; ++k) turned.col(k) = across.col(k) * -friction.segment(2 * k, 2).norm();
    J = across.transpose() * mobility_ * turned;
    for (Index j = 0; j < count; ++j) {
      const double along = std::cos(angle[j]) * acceleration[2 * j] + std::sin(angle[j]) * acceleration[2 * j + 1];
      residual[j] = across.col(j).dot(acceleration);
      J(j, j) -= along;
    }
    const Vector change = numerics::FullLu(J).solve(residual);
    if (!all_finite(change)) break;
    angle -= change;
    if (change.cwiseAbs().maxCoeff() <= kAngleError) break;
  }
  for (Index j = 0; j < count; ++j) {
    const Index row = problem_.row[starting_[j]];
    const double most = mu(starting_[j]) * force[row];
    force[row + 1] = -most * std::cos(angle[j]);
    force[row + 2] = -most * std::sin(angle[j]);
  }
}

Eigen::RowVectorXd Friction::slip_ahead(Index i, const Matrix& gamma) const {
  const Index row = problem_.row[i];
  if (tangents(i) == 1) return heading[i] * gamma.row(row + 1);
  return std::cos(heading[i]) * gamma.row(row + 1) + std::sin(heading[i]) * gamma.row(row + 2);
}

void Friction::slide(Index i, const Vector& gamma) {
  mode[i] = ContactMode::slip;
  heading[i] = gamma[problem_.row[i] + 1] < 0 ? -1 : 1;
}

void Friction::decide(const std::vector<Index>& candidates, const Vector& gamma, Vector force) {
  for (const Index i : candidates) mode[i] = ContactMode::open;
  prepare();
  add_tangential(gamma.data(), force.data());
  std::vector<Index> rows;
  std::vector<numerics::Disc> discs;
  for (const Index i : candidates) {
    const Index row = problem_.row[i];
    discs.push_back({static_cast<Index>(rows.size()), tangents(i), mu_s(i) * force[row]});
    for (int t = 1; t <= tangents(i); ++t) {
      rows.push_back(row + t);
      force[row + t] = 0;
    }
  }
  Vector push(rows.size()), pushes(rows.size());  // accelerations, and the size of their terms, which may cancel
  for (std::size_t i = 0; i < rows.size(); ++i) {
    push[i] = row_times(rows[i], force.data());
    pushes[i] = row_terms(rows[i], force.data());
  }
  const Matrix A = part(problem_.G, rows, rows);
  numerics::DiscSolution best;
  Vector terms;
  const auto holds = [&](const numerics::Disc& disc) {
    return best.slope.segment(disc.start, disc.size).norm() <= kHolds * terms.segment(disc.start, disc.size).norm();
  };
  for (bool settled = false; !settled;) {  // those that mu_s does not hold let go, until the rest are held
    best = numerics::solve_disc_program(A, push, discs);
    work += kWorkOfProgram * (1 + best.iterations) * relative_cost(A.rows());
    terms = pushes + A.cwiseAbs() * best.x.cwiseAbs();
    settled = true;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const double slides = mu(candidates[c]) * force[problem_.row[candidates[c]]];
      if (!(discs[c].radius > slides) || holds(discs[c])) continue;
      discs[c].radius = slides;
      settled = false;
    }
  }
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const numerics::Disc& disc = discs[c];
    const auto slope = best.slope.segment(disc.start, disc.size);
    const auto held = best.x.segment(disc.start, disc.size);
    if (holds(disc)) {
      mode[candidates[c]] = ContactMode::stick;
      continue;
    }
    const Vector away = held.norm() > 0 ? Vector(-held) : Vector(slope);
    mode[candidates[c]] = disc.size == 1 ? ContactMode::slip : ContactMode::slip_onset;
    heading[candidates[c]] = disc.size == 1 ? (away[0] < 0 ? -1 : 1) : std::atan2(away[1], away[0]);
  }
  prepare();
}

/// Sorts the contacts by their mode and factors what sticks.
void Friction::prepare() {
  slipping_.clear();
  starting_.clear();
  sticking_.clear();
  stuck_rows_.clear();
  start_rows_.clear();
  for (Index i = 0; i < problem_.size(); ++i) {
    if (mode[i] == ContactMode::slip) slipping_.push_back(i);
    if (mode[i] != ContactMode::stick && mode[i] != ContactMode::slip_onset) continue;
    (mode[i] == ContactMode::stick ? sticking_ : starting_).push_back(i);
    for (int t = 1; t <= tangents(i); ++t)
      (mode[i] == ContactMode::stick ? stuck_rows_ : start_rows_).push_back(problem_.row[i] + t);
  }
  factor_stuck();
  if (start_rows_.empty()) return;
  coupling_ = part(problem_.G, stuck_rows_, start_rows_);
  mobility_ = part(problem_.G, start_rows_, start_rows_) - coupling_.transpose() * held_ * coupling_;
}

void Friction::factor_stuck() {
  const Matrix A = part(problem_.G, stuck_rows_, stuck_rows_);
  redundant_ = false;
  held_.resize(A.rows(), A.cols());
  if (A.size() == 0) return;
  const Vector scale = unit_scale(A.diagonal());
  const auto [eigenvalues, eigenvectors] =
      numerics::symmetric_spectrum(Matrix(scale.asDiagonal() * A * scale.asDiagonal()));
  const Index n = A.rows();
  Index kernel = 0;
  while (kernel < n && eigenvalues[kernel] <= kRank * eigenvalues[n - 1]) ++kernel;
  const Vector values = eigenvalues.tail(n - kernel);
  const Matrix basis = scale.asDiagonal() * eigenvectors.rightCols(n - kernel);
  held_ = basis * values.cwiseInverse().asDiagonal() * basis.transpose();
  redundant_ = kernel > 0;
  if (!redundant_) return;
  stuck_ = A;
  weights_ = values.cwiseSqrt().cwiseInverse().asDiagonal() * basis.transpose();
  modes_ = weights_ * A;
}

/// The forces at the stuck rows that keep them at rest.
Vector Friction::holding(const Vector& pushed, const double* force) const {
  if (!redundant_) return -held_ * pushed;
  if (modes_.rows() == 0) return Vector::Zero(static_cast<Index>(stuck_rows_.size()));  // joints hold them anyway
  Vector share(stuck_rows_.size());
  Index next = 0;
  for (const Index i : sticking_)
    for (int t = 0; t < tangents(i); ++t) share[next++] = mu_s(i) * std::max(0.0, force[problem_.row[i]]);
  const Matrix together = modes_ * share.asDiagonal() * modes_.transpose();
  const Vector scale = unit_scale(together.diagonal());
  const numerics::CompleteOrthogonal factor(scale.asDiagonal() * together * scale.asDiagonal(), kRank);
  const Vector pull = scale.cwiseProduct(factor.solve(Vector(scale.cwiseProduct(weights_ * pushed))));
  return within_discs(-share.cwiseProduct(modes_.transpose() * pull), pushed, force);
}

/// The split near `hold` that leaves no contact more than its friction, as far as there is one: to the discs and back
/// to the forces that hold, in turn.
Vector Friction::within_discs(Vector hold, const Vector& pushed, const double* force) const {
  for (int round = 0; round < kRoundsOfSharing; ++round) {
    work += kWorkOfSharing;
    Vector clipped = hold;
    Index start = 0;
    bool fits = true;
    for (const Index i : sticking_) {
      auto part = clipped.segment(start, tangents(i));
      const double most = mu_s(i) * std::max(0.0, force[problem_.row[i]]), length = part.norm();
      if (length > most) part *= most / length;
      fits = fits && length <= (1 + kFits) * most;
      start += tangents(i);
    }
    if (fits) break;
    hold = clipped - held_ * (pushed + stuck_ * clipped);
  }
  return hold;
}

double Friction::reserve(const Vector& force) const {
  double least = 1;
  if (!redundant_) {
    for (const Index i : sticking_) {
      const Index row = problem_.row[i];
      const double most = mu_s(i) * force[row];
      const double needed = force.segment(row + 1, tangents(i)).norm();
      if (needed > 0) least = std::min(least, most > 0 ? 1 - needed / most : -1);
    }
    return least;
  }
  Vector others = force;
  std::vector<numerics::Disc> discs;
  Index start = 0;
  for (const Index i : sticking_) {
    discs.push_back({start, tangents(i), mu_s(i) * std::max(0.0, force[problem_.row[i]])});
    others.segment(problem_.row[i] + 1, tangents(i)).setZero();
    start += tangents(i);
  }
  Vector push(stuck_rows_.size()), pushes(stuck_rows_.size());
  for (std::size_t i = 0; i < stuck_rows_.size(); ++i) {
    push[i] = row_times(stuck_rows_[i], others.data());
    pushes[i] = row_terms(stuck_rows_[i], others.data());
  }
  const Matrix A = part(problem_.G, stuck_rows_, stuck_rows_);
  const numerics::DiscSolution best = numerics::solve_disc_program(A, push, discs);
  work += kWorkOfProgram * (1 + best.iterations) * relative_cost(A.rows());
  const double terms = (pushes + A.cwiseAbs() * best.x.cwiseAbs()).norm();
  const double left = terms > 0 ? best.slope.norm() / terms : 0;
  return kHolds - left;
}

Vector Friction::stopping_impulse(const Vector& gamma) const {
  Vector result = Vector::Zero(gamma.size());
  Vector slip(stuck_rows_.size());
  for (std::size_t i = 0; i < stuck_rows_.size(); ++i) slip[i] = gamma[stuck_rows_[i]];
  const Vector stop = -held_ * slip;
  for (std::size_t i = 0; i < stuck_rows_.size(); ++i) result[stuck_rows_[i]] = stop[i];
  return result;
}

}  // namespace carom::springs

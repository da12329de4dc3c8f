#include "numerics/cone_problem.h"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "numerics/sparse_products.h"

namespace carom::numerics {
namespace {

constexpr double kAccuracy = 1e-13;           // of the equations, relative to the terms of w
constexpr double kAccepted = 1e-10;           // what may be left of them
constexpr double kRounding = 4e-15;           // of w, relative to its terms
constexpr int kNewtonSteps = 40;              // in a row
constexpr int kHalvings = 6;                  // of a step
constexpr double kSufficient = 1e-4;          // part of the promised decrease that a step must bring
constexpr int kRounds = 8;                    // of gradients, each followed by Newton's method
constexpr int kChunk = 50, kMostChunks = 60;  // of gradient steps before Newton's method on large systems
constexpr double kPays = 0.7;                 // of the residual, after a chunk: else Newton's method is sooner there
constexpr double kNear = 1e-11;               // residual that is good enough then, and for sparse systems
constexpr Index kLargeRows = 300;  // systems that are large: so many rows, full or with so many entries in each
constexpr double kManyEntries = 12;
constexpr int kGradientSteps = 150;        // in the first round, doubled each time
constexpr int kMostGradientSteps = 20000;  // where less than all digits are asked for
constexpr double kSingular = 1e-13;        // reciprocal condition below which a face is singular
constexpr double kProximal = 1e-7;         // of the diagonal, added then
constexpr double kSparseProximal = 1e-6;
constexpr Index kDenseRows = 150;  // up to this many rows matrices are dense
constexpr double kFull = 0.3;      // or with this share of entries
constexpr int kPowerSteps = 20;
constexpr double kPowerMargin = 1.3;
constexpr int kFrictionSteps = 8;  // from zero to the whole friction, at first
constexpr int kMostFrictionSteps = 64;

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// The problem in unknowns of unit diagonal: one scale a contact, so that its cone stays a cone.
class Scaled {
 public:
  Scaled(const SparseMatrix& A, const Vector& q, const std::vector<FrictionCone>& contacts, const Vector& terms)
      : cones(contacts), scale_(q.size()) {
    const Vector diagonal = A.diagonal();
    for (FrictionCone& cone : cones) {
      const double mean = diagonal.segment(cone.row, 1 + cone.tangents).mean();
      const double scale = mean > 0 ? 1 / std::sqrt(mean) : 1;
      scale_.segment(cone.row, 1 + cone.tangents).setConstant(scale);
      cone.least /= scale;
    }
    q_ = scale_.cwiseProduct(q);
    terms_ = scale_.cwiseProduct(terms.size() > 0 ? Vector(terms.cwiseAbs()) : Vector(q.cwiseAbs()));
    dense_ = q.size() <= kDenseRows ||
             static_cast<double>(A.nonZeros()) > kFull * static_cast<double>(q.size()) * static_cast<double>(q.size());
    if (dense_)
      full_ = scale_.asDiagonal() * Matrix(A) * scale_.asDiagonal();
    else
      sparse_ = SparseRows(SparseMatrix(scale_.asDiagonal() * A * scale_.asDiagonal()));
    measure();
  }

  std::vector<FrictionCone> cones;

  Index size() const { return q_.size(); }
  bool is_dense() const { return dense_; }
  bool is_large() const {
    return size() > kLargeRows &&
           (dense_ || static_cast<double>(sparse_.nonZeros()) > kManyEntries * static_cast<double>(size()));
  }
  const Matrix& full() const { return full_; }
  const SparseRows& sparse() const { return sparse_; }
  double largest() const { return largest_; }  // eigenvalue, about
  double weight() const { return weight_; }    // of velocities: the largest term of q
  Vector original(const Vector& x) const { return scale_.cwiseProduct(x); }
  Vector scaled(const Vector& x) const { return x.cwiseQuotient(scale_); }

  Vector slope(const Vector& x) const {
    Vector w = q_;
    if (dense_)
      w.noalias() += full_ * x;
    else
      w.noalias() += sparse_ * x;
    return w;
  }

  /// The size of the terms of w.
  Vector terms(const Vector& x) const {
    const Vector magnitude = x.cwiseAbs();
    Vector result = terms_;
    if (dense_)
      result.noalias() += full_.cwiseAbs() * magnitude;
    else
      for (Index i = 0; i < size(); ++i)
        for (SparseRows::InnerIterator entry(sparse_, i); entry; ++entry)
          result[i] += std::abs(entry.value()) * magnitude[entry.col()];
    return result;
  }

 private:
  void measure() {
    weight_ = terms_.size() > 0 ? terms_.maxCoeff() : 0;
    Vector v = q_;  // follows every mirror image
    for (int step = 0; step < kPowerSteps; ++step) {
      v = slope(v) - q_;
      largest_ = v.norm();
      if (!(largest_ > 0)) break;
      v /= largest_;
    }
    largest_ = std::max(1.0, kPowerMargin * largest_);
  }

  Vector scale_, q_, terms_;
  bool dense_ = true;
  Matrix full_;
  SparseRows sparse_;
  double largest_ = 0, weight_ = 0;
};

Eigen::Map<const Vector> direction_of(const FrictionCone& cone) {
  return {cone.slide.data(), cone.tangents};
}

/// The projection equations F(x) = 0: x_N - max(least, x_N - w_N) and x_T - P(x_T - w_T), P onto the disc of mu x_N.
class Equations {
 public:
  Equations(const Scaled& problem, double share) : problem_(problem), share_(share) {}

  double mu(const FrictionCone& cone) const { return share_ * cone.mu; }

  Vector miss(const Vector& x, const Vector& w) const {
    Vector F(x.size());
    for (const FrictionCone& cone : problem_.cones) {
      const Index n = cone.row;
      F[n] = x[n] - std::max(cone.least, x[n] - w[n]);
      if (cone.tangents == 0) continue;
      if (cone.slides()) {
        F.segment(n + 1, cone.tangents) = x.segment(n + 1, cone.tangents) + mu(cone) * x[n] * direction_of(cone);
        continue;
      }
      const double radius = mu(cone) * std::max(0.0, x[n]);
      const auto target = x.segment(n + 1, cone.tangents) - w.segment(n + 1, cone.tangents);
      const double length = target.norm();
      F.segment(n + 1, cone.tangents) = x.segment(n + 1, cone.tangents);
      if (length > radius)
        F.segment(n + 1, cone.tangents) -= target * (radius / length);
      else
        F.segment(n + 1, cone.tangents) = w.segment(n + 1, cone.tangents);
    }
    return F;
  }

  /// Row `i` of the derivative is  own(i, .) over the rows of its contact plus  across(i, t) times row t of A.
  struct Rows {
    Matrix own, across;  // (k x k), k rows of the contact
  };
  Rows derivative(const FrictionCone& cone, const Vector& x, const Vector& w) const {
    const Index n = cone.row;
    const Index k = 1 + cone.tangents;
    Rows rows{Matrix::Zero(k, k), Matrix::Zero(k, k)};
    if (x[n] - w[n] > cone.least)
      rows.across(0, 0) = 1;
    else
      rows.own(0, 0) = 1;
    if (cone.tangents == 0) return rows;
    if (cone.slides()) {
      rows.own.bottomRightCorner(cone.tangents, cone.tangents).setIdentity();
      rows.own.block(1, 0, cone.tangents, 1) = mu(cone) * direction_of(cone);
      return rows;
    }
    const double radius = mu(cone) * std::max(0.0, x[n]);
    const Vector target = x.segment(n + 1, cone.tangents) - w.segment(n + 1, cone.tangents);
    const double length = target.norm();
    const auto identity = Matrix::Identity(cone.tangents, cone.tangents);
    if (length <= radius) {
      rows.across.bottomRightCorner(cone.tangents, cone.tangents) = identity;
      return rows;
    }
    const Vector direction = target / length;
    const Matrix turning = (radius / length) * (identity - direction * direction.transpose());
    rows.own.bottomRightCorner(cone.tangents, cone.tangents) = identity - turning;
    rows.across.bottomRightCorner(cone.tangents, cone.tangents) = turning;
    if (x[n] > 0) rows.own.block(1, 0, cone.tangents, 1) = -mu(cone) * direction;
    return rows;
  }

  /// The step of Newton's method; nothing if even the regularised equations cannot be solved.
  std::optional<Vector> step(const Vector& x, const Vector& w, const Vector& F, bool& singular) const {
    return problem_.is_dense() ? dense_step(x, w, F, singular) : sparse_step(x, w, F);
  }

 private:
  std::optional<Vector> dense_step(const Vector& x, const Vector& w, const Vector& F, bool& singular) const {
    // Unknowns whose equation is x_i = known leave the system first.
    const Index size = x.size();
    std::vector<Index> coupled;
    Vector change = Vector::Zero(size);
    std::vector<Rows> all;
    all.reserve(problem_.cones.size());
    for (const FrictionCone& cone : problem_.cones) {
      all.push_back(derivative(cone, x, w));
      const Rows& rows = all.back();
      const bool open = rows.across.isZero(0) && rows.own.isIdentity(0);  // and x_i = known
      for (int t = 0; t <= cone.tangents; ++t) {
        if (open)
          change[cone.row + t] = -F[cone.row + t];
        else
          coupled.push_back(cone.row + t);
      }
    }
    const Index count = static_cast<Index>(coupled.size());
    if (count == 0) return change;
    const Matrix& A = problem_.full();
    const Vector pushed = A * change;
    Matrix part(count, count);
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < count; ++i) part(i, j) = A(coupled[i], coupled[j]);
    Matrix J(count, count);
    Vector right(count);
    Index next = 0;
    for (std::size_t c = 0; c < all.size(); ++c) {
      const FrictionCone& cone = problem_.cones[c];
      const Index k = 1 + cone.tangents;
      if (next >= count || coupled[next] != cone.row) continue;
      J.middleRows(next, k).noalias() = all[c].across * part.middleRows(next, k);
      J.block(next, next, k, k) += all[c].own;
      right.segment(next, k) = -F.segment(cone.row, k) - all[c].across * pushed.segment(cone.row, k);
      next += k;
    }
    Eigen::PartialPivLU<Matrix> factor(J);
    singular = !(factor.rcond() > kSingular);
    if (singular) {
      next = 0;
      for (std::size_t c = 0; c < all.size(); ++c) {
        const FrictionCone& cone = problem_.cones[c];
        const Index k = 1 + cone.tangents;
        if (next >= count || coupled[next] != cone.row) continue;
        J.block(next, next, k, k) += kProximal * all[c].across;
        next += k;
      }
      factor.compute(J);
    }
    const Vector solved = factor.solve(right);
    if (!all_finite(solved)) return std::nullopt;
    for (Index i = 0; i < count; ++i) change[coupled[i]] = solved[i];
    return change;
  }

  std::optional<Vector> sparse_step(const Vector& x, const Vector& w, const Vector& F) const {
    const SparseRows& A = problem_.sparse();
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(static_cast<std::size_t>(A.nonZeros()) * 2);
    for (const FrictionCone& cone : problem_.cones) {
      const Rows rows = derivative(cone, x, w);
      for (int i = 0; i <= cone.tangents; ++i)
        for (int t = 0; t <= cone.tangents; ++t) {
          const double own = rows.own(i, t) + kSparseProximal * rows.across(i, t);
          if (own != 0) entries.emplace_back(cone.row + i, cone.row + t, own);
          if (rows.across(i, t) == 0) continue;
          for (SparseRows::InnerIterator entry(A, cone.row + t); entry; ++entry)
            entries.emplace_back(cone.row + i, entry.col(), rows.across(i, t) * entry.value());
        }
    }
    SparseMatrix J(x.size(), x.size());
    J.setFromTriplets(entries.begin(), entries.end());
    Eigen::SparseLU<SparseMatrix, Eigen::COLAMDOrdering<int>> factor;
    factor.compute(J);
    if (factor.info() != Eigen::Success) return std::nullopt;
    Vector change = factor.solve(Vector(-F));
    if (!all_finite(change)) return std::nullopt;
    return change;
  }

  const Scaled& problem_;
  double share_;  // of the friction
};

/// Keeps the best point seen.
struct Best {
  Vector x;
  double residual = 0;
  bool singular = false;
};

class Solver {
 public:
  Solver(const Scaled& problem, double accuracy) : problem_(problem), accuracy_(std::max(kAccuracy, accuracy)) {}

  int iterations = 0;

  double residual(const Equations& equations, const Vector& x) const {
    const Vector w = problem_.slope(x);
    return relative(equations.miss(x, w), x);
  }

  /// Relative to the data, not to x: an answer that runs away is none.
  double relative(const Vector& F, const Vector& x) const {
    if (!(problem_.weight() > 0)) return 0;
    const double largest = F.cwiseAbs().maxCoeff();
    if (!(largest > accuracy_ * problem_.weight())) return largest / problem_.weight();
    const Vector left = F.cwiseAbs() - kRounding * problem_.terms(x);
    return std::max(left.maxCoeff() / problem_.weight(), 0.0);
  }

  bool newton(const Equations& equations, Best& best) {
    Vector x = best.x;
    Vector w = problem_.slope(x);
    Vector F = equations.miss(x, w);
    double merit = F.squaredNorm();
    int poor = 0;
    for (int step = 0; step < kNewtonSteps; ++step) {
      const double now = relative(F, x);
      if (step == 0 || now < best.residual) {
        best.x = x;
        best.residual = now;
      }
      if (now <= accuracy_) return true;
      ++iterations;
      const std::optional<Vector> change = equations.step(x, w, F, best.singular);
      if (!change) return false;
      double length = 1;
      Vector next, next_w, next_F;
      for (int halving = 0;; ++halving, length *= 0.5) {
        next = x + length * *change;
        next_w = problem_.slope(next);
        next_F = equations.miss(next, next_w);
        if (next_F.squaredNorm() <= (1 - 2 * kSufficient * length) * merit || halving == kHalvings) break;
      }
      const double after = next_F.squaredNorm();
      if (!(after < merit) && (best.residual <= kAccepted || ++poor > 4)) break;
      x = std::move(next);
      w = std::move(next_w);
      F = std::move(next_F);
      merit = after;
    }
    return best.residual <= accuracy_;
  }

  /// Projected gradients as long as they get nearer quickly, for problems whose linear systems are large.
  bool approach(const Equations& equations, Best& best) {
    for (int chunk = 0; chunk < kMostChunks; ++chunk) {
      const double before = best.residual;
      descend(equations, best, kChunk);
      if (best.residual <= kNear) return true;
      if (chunk > 0 && best.residual > kPays * before) return false;
    }
    return false;
  }

  /// Projected gradients on the convex program with w_N + mu |w_T| in place of w_N.
  void descend(const Equations& equations, Best& best, int steps) {
    const double step = 1 / problem_.largest();
    Vector x = best.x, ahead = best.x;
    project(equations, x);
    double weight = 1;
    for (int i = 0; i < steps; ++i) {
      Vector next = problem_.slope(ahead);
      for (const FrictionCone& cone : problem_.cones)
        if (cone.tangents > 0 && !cone.slides())
          next[cone.row] += equations.mu(cone) * next.segment(cone.row + 1, cone.tangents).norm();
      next = ahead - step * next;
      project(equations, next);
      if ((ahead - next).dot(next - x) > 0) weight = 1;
      const double heavier = 0.5 * (1 + std::sqrt(1 + 4 * weight * weight));
      ahead = next + (weight - 1) / heavier * (next - x);
      weight = heavier;
      x = std::move(next);
      if (i % 50 != 49) continue;
      const double now = residual(equations, x);
      if (now < best.residual) best = {x, now, best.singular};
      if (now <= accuracy_) return;
    }
    best.x = x;
    best.residual = residual(equations, x);
  }

 private:
  /// Onto the cones; a contact that must carry `least` keeps at least that.
  void project(const Equations& equations, Vector& x) const {
    for (const FrictionCone& cone : problem_.cones) {
      double& normal = x[cone.row];
      auto tangential = x.segment(cone.row + 1, cone.tangents);
      const double mu = equations.mu(cone), length = tangential.norm();
      if (cone.slides()) {
        normal = std::max(normal, cone.least);
        tangential = -mu * normal * direction_of(cone);
        continue;
      }
      if (length > mu * normal) {
        if (mu * length <= -normal) {
          normal = 0;
        } else {
          normal = (normal + mu * length) / (1 + mu * mu);
        }
      }
      normal = std::max(normal, cone.least);
      if (length > mu * normal) tangential *= mu * normal / length;
    }
  }

  const Scaled& problem_;
  double accuracy_;
};

/// Raises the friction from none, step by step.
bool raise_friction(const Scaled& problem, Solver& solver, Best& best) {
  Best low{Vector::Zero(problem.size()), 0, false};
  double share = 0, step = 1.0 / kFrictionSteps;
  if (!solver.newton(Equations(problem, 0), low)) return false;
  while (share < 1) {
    const double next = std::min(1.0, share + step);
    Best trial = low;
    if (solver.newton(Equations(problem, next), trial) || trial.residual <= kAccepted) {
      low = trial;
      share = next;
      continue;
    }
    step *= 0.5;
    if (step * kMostFrictionSteps < 1) return false;
  }
  best = low;
  return true;
}

/// Contacts in an order that does not depend on the one they come in: by what they feel. Where a problem has several
/// solutions, rounding must not let that order choose among them.
std::vector<std::size_t> canonical_order(const SparseMatrix& A, const Vector& q,
                                         const std::vector<FrictionCone>& cones) {
  const Vector diagonal = A.diagonal();
  const auto key = [&](std::size_t i) {
    const FrictionCone& cone = cones[i];
    return std::tuple(q[cone.row], diagonal[cone.row], cone.mu, q.segment(cone.row + 1, cone.tangents).norm(),
                      diagonal.segment(cone.row + 1, cone.tangents).sum());
  };
  std::vector<std::size_t> order(cones.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return key(i) < key(j); });
  return order;
}

ConeSolution solve_ordered(const SparseMatrix& A, const Vector& q, const std::vector<FrictionCone>& cones,
                           const Vector& terms, double accuracy, const Vector& guess) {
  const Scaled problem(A, q, cones, terms);
  const Equations whole(problem, 1);
  Solver solver(problem, problem.is_dense() ? accuracy : std::max(accuracy, kNear));
  Best start{Vector::Zero(q.size()), 0, false};
  for (const FrictionCone& cone : problem.cones) start.x[cone.row] = cone.least;
  start.residual = solver.residual(whole, start.x);
  Best best = start;
  if (guess.size() > 0) {
    best.x = problem.scaled(guess);
    best.residual = solver.residual(whole, best.x);
  }
  if (accuracy > 0) {
    solver.descend(whole, best, kMostGradientSteps);
  } else if (guess.size() > 0 ? best.residual <= kAccepted : problem.is_large() && solver.approach(whole, best)) {
    best.singular = false;  // not known
  } else if (!solver.newton(whole, best) && best.residual > kAccepted) {
    Best found = start;
    if (guess.size() > 0) solver.newton(whole, found);
    if (found.residual < best.residual) best = found;
    int steps = kGradientSteps;
    for (int round = 0; round < kRounds && best.residual > kAccepted; ++round, steps *= 2) {
      solver.descend(whole, found, steps);
      solver.newton(whole, found);
      if (found.residual < best.residual) best = found;
    }
    if (best.residual > kAccepted) raise_friction(problem, solver, best);
  }
  ConeSolution solution;
  solution.residual = solver.residual(whole, best.x);
  solution.solved = solution.residual <= std::max(kAccepted, accuracy);
  solution.unique = !best.singular;
  solution.iterations = solver.iterations;
  solution.x = problem.original(best.x);
  for (const FrictionCone& cone : cones) {  // what is left of the equations must not pull or leave a cone
    solution.x[cone.row] = std::max(solution.x[cone.row], cone.least);
    auto tangential = solution.x.segment(cone.row + 1, cone.tangents);
    const double most = cone.mu * solution.x[cone.row], length = tangential.norm();
    if (length > most) tangential *= most / length;
  }
  return solution;
}

}  // namespace

ConeSolution solve_cone_problem(const SparseMatrix& A, const Vector& q, const std::vector<FrictionCone>& cones,
                                const Vector& terms, double accuracy, const Vector& guess) {
  const std::vector<std::size_t> order = canonical_order(A, q, cones);
  Eigen::PermutationMatrix<Eigen::Dynamic> place(q.size());  // of each row
  std::vector<FrictionCone> sorted;
  sorted.reserve(cones.size());
  int next = 0;
  for (const std::size_t i : order) {
    sorted.push_back(cones[i]);
    sorted.back().row = next;
    for (int t = 0; t <= cones[i].tangents; ++t) place.indices()[cones[i].row + t] = next++;
  }
  const SparseMatrix rows_moved = place * A;
  const SparseMatrix permuted = rows_moved * place.transpose();
  const auto moved = [&](const Vector& v) { return v.size() > 0 ? Vector(place * v) : Vector(); };
  ConeSolution solution = solve_ordered(permuted, moved(q), sorted, moved(terms), accuracy, moved(guess));
  solution.x = place.transpose() * solution.x;
  solution.w = A * solution.x + q;
  return solution;
}

}  // namespace carom::numerics

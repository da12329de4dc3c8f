#include "carom/simulate/shared_forces.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "carom/numerics/decompositions.h"
#include "carom/numerics/narrow_system.h"
#include "carom/numerics/sparse_decompositions.h"

namespace carom::simulate {
namespace {

constexpr double kDependent =
    1e-10;                          // of the largest eigenvalue of S with unit diagonal: the constraints are redundant
constexpr double kDoubtful = 1e-5;  // pivot of rows alone: below it they may be
constexpr double kContradiction = 1e-9;  // of the rates: what forces may miss where they are
constexpr std::size_t kEntriesOfRow = 8;
constexpr Index kManyRows = 600;    // from so many on, sparse systems are tried
constexpr Index kFewRows = 12;      // up to so many have a dense factorization
constexpr double kInside = 1e-3;    // of the largest force: how far inside its cone a contact is kept if possible
constexpr double kOutside = 1e-11;  // of the largest force: what may be left of a pull
constexpr int kShareSteps = 40;     // of Newton's method
constexpr double kLittle = 1e-4;    // weight of the distance from the least norm: less than `inside`
constexpr double kLeast = 1e-10;    // the same where forces reach the cones themselves
constexpr double kSettled = 1e-12;  // of the squares: what a step may still promise
constexpr double kSufficient = 1e-4, kShortest = 1e-6;
constexpr double kSymmetric = 1e-13;
constexpr double kNoPart = 1e-8;  // of a force that redundant ones leave alone, in what they may change

/// Contacts that slip make the matrix of their group unsymmetric.
bool is_symmetric(const Matrix& S) {
  return (S - S.transpose()).norm() <= kSymmetric * S.norm();
}

/// The same. Going through the columns, the entries above the diagonal of each come in the order of those below it.
bool is_symmetric(const SparseMatrix& S) {
  if (S.size() == 0) return true;
  std::vector<int> next(S.outerIndexPtr(), S.outerIndexPtr() + S.cols());
  double apart = 0;
  const auto above = [&](Index column, Index row) {  // passes what has nothing opposite
    for (; next[column] < S.outerIndexPtr()[column + 1] && S.innerIndexPtr()[next[column]] < row; ++next[column])
      apart += S.valuePtr()[next[column]] * S.valuePtr()[next[column]];
    const bool there = next[column] < S.outerIndexPtr()[column + 1] && S.innerIndexPtr()[next[column]] == row;
    return there ? S.valuePtr()[next[column]++] : 0.0;
  };
  for (Index j = 0; j < S.cols(); ++j) {
    above(j, j);
    for (SparseMatrix::InnerIterator entry(S, j); entry; ++entry)
      if (entry.row() > j) {
        const double difference = entry.value() - above(entry.row(), j);
        apart += difference * difference;
      }
  }
  return std::sqrt(2 * apart) <= kSymmetric * S.norm();
}

/// Where a force would have to be, and how that changes with it.
struct ConeProjection {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Matrix3d slope = Eigen::Matrix3d::Zero();
};

/// Onto |x_T| <= mu x_N, or x_N >= 0 without tangents.
ConeProjection onto_cone(const Eigen::Vector3d& x, int tangents, double mu) {
  ConeProjection result;
  if (tangents == 0) {
    result.point[0] = std::max(0.0, x[0]);
    if (x[0] > 0) result.slope(0, 0) = 1;
    return result;
  }
  const Eigen::Vector2d along = x.tail<2>();
  const double size = along.norm();
  if (size <= mu * x[0]) {
    result.point = x;
    result.slope.setIdentity();
    return result;
  }
  if (mu * size <= -x[0]) return result;
  const Eigen::Vector2d t = along / size;
  const double normal = (x[0] + mu * size) / (1 + mu * mu);
  Eigen::Vector3d generator(1, mu * t[0], mu * t[1]);
  result.point = normal * generator;
  result.slope = generator * generator.transpose() / (1 + mu * mu);
  result.slope.bottomRightCorner<2, 2>() += mu * normal / size * (Eigen::Matrix2d::Identity() - t * t.transpose());
  return result;
}

/// Half the squares of what forces x = least + Z y miss of their cones, `inside` of them, and of y, which weighs
/// little: with gradient and curvature.
struct ConeResidual {
  double outside = 0;  // the squares without those of y
  double value = 0;
  Vector slope;
  Matrix bend;
};
ConeResidual residual(const Vector& x, const Vector& y, const Matrix& Z, const std::vector<ForceCone>& cones,
                      double inside, double little, bool with_slopes = true) {
  ConeResidual result{0, 0.5 * little * y.squaredNorm(), little * y, little * Matrix::Identity(Z.cols(), Z.cols())};
  for (const ForceCone& cone : cones) {
    const Index rows = 1 + cone.tangents;
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
    for (Index k = 0; k < rows; ++k) force[k] = x[cone.row + k];
    force[0] -= inside;
    const ConeProjection nearest = onto_cone(force, cone.tangents, cone.mu);
    const Eigen::Vector3d apart = force - nearest.point;
    const Eigen::Matrix3d bend = Eigen::Matrix3d::Identity() - nearest.slope;
    if (apart.isZero(0)) continue;
    result.outside += 0.5 * apart.squaredNorm();
    if (!with_slopes) continue;
    const Matrix own = Z.middleRows(cone.row, rows), bent = bend.topLeftCorner(rows, rows) * own;
    for (Index k = 0; k < rows; ++k) result.slope += apart[k] * own.row(k).transpose();
    result.bend.noalias() += own.transpose().lazyProduct(bent);
  }
  result.value += result.outside;
  return result;
}

/// Moves within the redundant forces Z until no contact pulls: to the one point where the squares are least, which
/// changes with the data as smoothly as the cones let it.
Vector into_cones(const Vector& least, const Matrix& Z, const std::vector<ForceCone>& cones, double inside,
                  double little) {
  Vector y = Vector::Zero(Z.cols()), x = least;
  ConeResidual now = residual(x, y, Z, cones, inside, little);
  for (int step = 0; step < kShareSteps && now.outside > 0; ++step) {
    const Vector change = -numerics::solve_semidefinite(now.bend, now.slope);
    const double promised = -now.slope.dot(change);
    if (!(promised > kSettled * now.value)) {  // rounding hides what such a step gains; it is the last
      x = least + Z * (y + change);
      break;
    }
    double length = 1;
    Vector moved;
    for (;; length *= 0.5) {
      moved = y + length * change;
      x = least + Z * moved;
      const double value = residual(x, moved, Z, cones, inside, little, false).value;
      if (value <= now.value - kSufficient * length * promised || length < kShortest) break;
    }
    y = moved;
    now = residual(x, y, Z, cones, inside, little);
  }
  return x;
}

/// Forces of least norm that satisfy the constraints, and in the columns those that change none.
struct Distribution {
  Vector least;
  Matrix none;
};

/// Constraints S x = r, to be scaled to unit diagonal.
struct System {
  const SparseMatrix& S;
  const Vector& r;
  Vector scale;
  bool symmetric = false;
};

/// A group of constraints that depend on each other, as a system of its own.
struct Block {
  std::vector<Index> order;                     // of elimination, as rows of all
  std::vector<Eigen::Triplet<double>> entries;  // in that order
  Vector r;
  bool symmetric = false, finite = false;
};

/// Of constraints that are redundant, or nearly so, which only pivots of rows and columns tell.
Distribution distribute_redundant(const Matrix& S, const Vector& r) {
  if (!is_symmetric(S)) {
    const numerics::CompleteOrthogonal factor(S, kDependent);
    return {factor.solve(r), factor.kernel()};
  }
  const numerics::Cholesky factor(S);
  if (factor.is_positive_definite() && factor.least_pivot() > kDependent) return {factor.solve(r), Matrix(S.cols(), 0)};
  const auto [size, V] = numerics::symmetric_spectrum(S);
  const double least = kDependent * size.cwiseAbs().maxCoeff();
  const Vector inverse = size.unaryExpr([&](double d) { return d > least ? 1 / d : 0.0; });
  const Index count = (size.array() <= least).count();
  return {V * inverse.cwiseProduct(V.transpose() * r), V.leftCols(count)};
}

/// The same by elimination in order, which costs far less; nothing where a pivot is neither large nor nearly nothing,
/// or the equations contradict each other. Symmetric systems that are not redundant need no large pivots.
std::optional<Distribution> eliminate(const Block& block) {
  const Index n = static_cast<Index>(block.order.size());
  const numerics::NarrowSolution found = numerics::solve_narrow(n, block.entries, block.r, kDependent);
  if (!(found.least_pivot > (block.symmetric ? kDependent : kDoubtful))) return std::nullopt;
  if (found.kernel.cols() == 0) return Distribution{found.x, found.kernel};
  if (!(found.least_pivot > kDoubtful)) return std::nullopt;
  Vector missed = -block.r;
  for (const auto& entry : block.entries) missed[entry.row()] += entry.value() * found.x[entry.col()];
  if (!(missed.cwiseAbs().maxCoeff() <= kContradiction * block.r.cwiseAbs().maxCoeff())) return std::nullopt;
  const Matrix none = numerics::PivotedQr(found.kernel).range();
  if (none.cols() < found.kernel.cols()) return std::nullopt;
  return Distribution{found.x - none * (none.transpose() * found.x), none};
}

/// Of many constraints, where they are not redundant: by a sparse factorization.
std::optional<Vector> solve_sparse(const SparseMatrix& S, const Vector& r) {
  const Vector scale = unit_scale(S.diagonal());
  const SparseMatrix unit = scale.asDiagonal() * S * scale.asDiagonal();
  numerics::SparseCholesky factor(unit);
  if (!factor.factorize(unit) || !(factor.least_pivot() > kDependent)) return std::nullopt;
  return Vector(scale.asDiagonal() * factor.solve(scale.asDiagonal() * r));
}

Matrix dense(const Block& block) {
  const Index n = static_cast<Index>(block.order.size());
  Matrix S = Matrix::Zero(n, n);
  for (const auto& entry : block.entries) S(entry.row(), entry.col()) += entry.value();
  return S;
}

Distribution distribute(const Block& block) {
  const bool few = static_cast<Index>(block.order.size()) <= kFewRows;
  if (!few || !block.symmetric)
    if (std::optional<Distribution> found = eliminate(block)) return *std::move(found);
  return distribute_redundant(dense(block), block.r);
}

/// Moves the forces of redundant constraints into their cones. `all` and the result are by ascending rows.
Vector redundant_forces(const Distribution& all, const std::vector<ForceCone>& cones) {
  const double largest = all.least.cwiseAbs().maxCoeff(), outside = kOutside * largest;
  const Vector none = Vector::Zero(all.none.cols());
  Vector x = into_cones(all.least, all.none, cones, kInside * largest, kLittle);
  if (residual(x, none, all.none, cones, 0, 0).outside > 0.5 * outside * outside)
    x = into_cones(all.least, all.none, cones, 0, kLeast);
  return x;
}

/// Forces in the order of the block.
SharedForces share_block(const Block& block, const std::vector<ForceCone>& cones) {
  const std::size_t n = block.order.size();
  if (!block.finite) return {Vector::Constant(block.r.size(), std::nan("")), true, {}};
  const Distribution all = distribute(block);
  SharedForces result{all.least, all.none.cols() > 0, {}};
  if (!result.redundant) return result;
  std::vector<Index> ascending(n);
  std::iota(ascending.begin(), ascending.end(), 0);
  std::sort(ascending.begin(), ascending.end(), [&](Index i, Index j) { return block.order[i] < block.order[j]; });
  std::vector<ForceCone> own;
  for (const ForceCone& cone : cones) {
    const auto at = std::lower_bound(ascending.begin(), ascending.end(), cone.row,
                                     [&](Index i, Index row) { return block.order[i] < row; });
    if (at != ascending.end() && block.order[*at] == cone.row)
      own.push_back({at - ascending.begin(), cone.tangents, cone.mu});
  }
  result.x(ascending) = redundant_forces({all.least(ascending), all.none(ascending, Eigen::all)}, own);
  for (Index i = 0; i < all.least.size(); ++i) result.open.push_back(all.none.row(i).norm() > kNoPart);
  return result;
}

/// A constraint by itself is most of what a scene of separate bodies has: no factorization for it.
std::optional<double> force_alone(double s, double r) {
  if (!(s > 0) || !std::isfinite(s) || !std::isfinite(r)) return std::nullopt;
  return r / s;
}

/// One scale a contact, so that its cone stays a cone, and for each other constraint its own.
Vector scales(Vector diagonal, const std::vector<ForceCone>& cones) {
  diagonal = diagonal.cwiseAbs();
  for (const ForceCone& cone : cones)
    diagonal.segment(cone.row, 1 + cone.tangents).setConstant(diagonal.segment(cone.row, 1 + cone.tangents).maxCoeff());
  return unit_scale(diagonal);
}

/// Which constraints depend on which.
std::vector<std::pair<Index, Index>> links(const SparseMatrix& S, const std::vector<ForceCone>& cones, bool symmetric) {
  std::vector<std::pair<Index, Index>> linked;
  linked.reserve(static_cast<std::size_t>(S.nonZeros()));
  for (Index j = 0; j < S.cols(); ++j)
    for (SparseMatrix::InnerIterator entry(S, j); entry; ++entry)
      if (entry.value() != 0 && (entry.row() > j || (!symmetric && entry.row() < j)))
        linked.emplace_back(entry.row(), j);
  for (const ForceCone& cone : cones)
    for (int t = 1; t <= cone.tangents; ++t) linked.emplace_back(cone.row, cone.row + t);
  return linked;
}

/// `place` (rows of all): in the order. Entries of other groups' rows are rounding.
Block block_of(const System& all, std::vector<Index> order, const std::vector<Index>& place) {
  Block block{std::move(order), {}, {}, all.symmetric, true};
  const std::size_t n = block.order.size();
  block.r.resize(static_cast<Index>(n));
  block.entries.reserve(kEntriesOfRow * n);
  for (const Index j : block.order) {
    block.r[place[j]] = all.scale[j] * all.r[j];
    block.finite = block.finite && std::isfinite(block.r[place[j]]);
    for (SparseMatrix::InnerIterator entry(all.S, j); entry; ++entry) {
      const Index i = place[entry.row()];
      if (entry.value() == 0 || i < 0 || i >= block.r.size() || block.order[i] != entry.row()) continue;
      const double value = all.scale[entry.row()] * entry.value() * all.scale[j];
      block.finite = block.finite && std::isfinite(value);
      block.entries.emplace_back(static_cast<int>(i), static_cast<int>(place[j]), value);
    }
  }
  return block;
}

}  // namespace

const ForceOrder::Groups& ForceOrder::of(Index rows, std::vector<std::pair<Index, Index>> links) {
  if (rows == rows_ && links == links_) return groups_;
  rows_ = rows;
  links_ = std::move(links);
  groups_ = numerics::narrow_order(rows, links_);
  return groups_;
}

SharedForces share_forces(const SparseMatrix& S, const Vector& r, const std::vector<ForceCone>& cones) {
  ForceOrder order;
  return share_forces(S, r, cones, order);
}

SharedForces share_forces(const SparseMatrix& S, const Vector& r, const std::vector<ForceCone>& cones,
                          ForceOrder& known) {
  const bool symmetric = is_symmetric(S);
  if (S.cols() >= kManyRows && symmetric)
    if (std::optional<Vector> x = solve_sparse(S, r)) return {*std::move(x), false, {}};
  SharedForces result{Vector::Zero(r.size()), false, {}};
  const System all{S, r, scales(S.diagonal(), cones), symmetric};
  std::vector<Index> place(static_cast<std::size_t>(r.size()), -1);
  for (std::vector<Index> order : known.of(S.cols(), links(S, cones, symmetric))) {
    if (order.size() == 1)
      if (const std::optional<double> x = force_alone(S.coeff(order[0], order[0]), r[order[0]])) {
        result.x[order[0]] = *x;
        continue;
      }
    if (symmetric && static_cast<Index>(order.size()) <= kFewRows) std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<Index>(k);
    const Block block = block_of(all, std::move(order), place);
    const SharedForces part = share_block(block, cones);
    for (std::size_t k = 0; k < block.order.size(); ++k)
      result.x[block.order[k]] = all.scale[block.order[k]] * part.x[static_cast<Index>(k)];
    result.redundant = result.redundant || part.redundant;
    if (part.open.empty()) continue;
    result.open.resize(static_cast<std::size_t>(r.size()), 0);
    for (std::size_t k = 0; k < block.order.size(); ++k) result.open[block.order[k]] = part.open[k];
  }
  return result;
}

}  // namespace carom::simulate

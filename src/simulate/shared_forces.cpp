#include "carom/simulate/shared_forces.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/numerics/decompositions.h"
#include "carom/numerics/narrow_system.h"
#include "carom/numerics/sparse_decompositions.h"

namespace carom::simulate {
namespace {

constexpr double kDependent =
    1e-10;                          // of the largest eigenvalue of S with unit diagonal: the constraints are redundant
constexpr double kDoubtful = 1e-5;  // pivot of rows alone: below it they may be
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
template <class Square>
bool is_symmetric(const Square& S) {
  return Square(S - Square(S.transpose())).norm() <= kSymmetric * S.norm();
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

/// A group of constraints that depend on each other.
struct Block {
  std::vector<Index> rows;                      // of all, ascending
  std::vector<Index> order;                     // (rows) of elimination, as places in `rows`
  std::vector<Eigen::Triplet<double>> entries;  // by places in `rows`, scaled to unit diagonal
  Vector scale, r;
  std::vector<ForceCone> cones;  // by places in `rows`
  bool symmetric = false;
};

Matrix dense(const Block& block) {
  const Index n = static_cast<Index>(block.rows.size());
  Matrix S = Matrix::Zero(n, n);
  for (const auto& entry : block.entries) S(entry.row(), entry.col()) += entry.value();
  return S;
}

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

/// Of constraints that are not: nothing if they may be. Symmetric systems need no pivots to reveal it.
std::optional<Vector> solve_in_order(const Block& block) {
  const Index n = static_cast<Index>(block.rows.size());
  std::vector<Index> place(block.rows.size());
  Vector r(n);
  for (Index k = 0; k < n; ++k) {
    place[block.order[k]] = k;
    r[k] = block.r[block.order[k]];
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(block.entries.size());
  for (const auto& entry : block.entries)
    entries.emplace_back(static_cast<int>(place[entry.row()]), static_cast<int>(place[entry.col()]), entry.value());
  const numerics::NarrowSolution ordered =
      numerics::solve_narrow(n, entries, r, block.symmetric ? kDependent : kDoubtful);
  if (ordered.kernel.cols() > 0) return std::nullopt;
  Vector x(n);
  for (Index k = 0; k < n; ++k) x[block.order[k]] = ordered.x[k];
  return x;
}

/// Of many constraints, where they are not redundant: by a sparse factorization.
std::optional<Vector> solve_sparse(const SparseMatrix& S, const Vector& r) {
  const Vector scale = unit_scale(S.diagonal());
  const SparseMatrix unit = scale.asDiagonal() * S * scale.asDiagonal();
  numerics::SparseCholesky factor(unit);
  if (!factor.factorize(unit) || !(factor.least_pivot() > kDependent)) return std::nullopt;
  return Vector(scale.asDiagonal() * factor.solve(scale.asDiagonal() * r));
}

Distribution distribute(const Block& block) {
  const Index n = static_cast<Index>(block.rows.size());
  if (n > kFewRows)
    if (std::optional<Vector> x = solve_in_order(block)) return {*std::move(x), Matrix(n, 0)};
  return distribute_redundant(dense(block), block.r);
}

SharedForces share_block(const Block& block) {
  const bool finite = block.r.allFinite() && std::all_of(block.entries.begin(), block.entries.end(),
                                                         [](const auto& one) { return std::isfinite(one.value()); });
  if (!finite) return {Vector::Constant(block.r.size(), std::nan("")), true, {}};
  const Distribution all = distribute(block);
  SharedForces result{all.least, all.none.cols() > 0, {}};
  if (result.redundant) {
    for (Index i = 0; i < all.least.size(); ++i) result.open.push_back(all.none.row(i).norm() > kNoPart);
    const double largest = all.least.cwiseAbs().maxCoeff(), outside = kOutside * largest;
    const Vector none = Vector::Zero(all.none.cols());
    result.x = into_cones(all.least, all.none, block.cones, kInside * largest, kLittle);
    if (residual(result.x, none, all.none, block.cones, 0, 0).outside > 0.5 * outside * outside)
      result.x = into_cones(all.least, all.none, block.cones, 0, kLeast);
  }
  result.x = block.scale.asDiagonal() * result.x;
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

/// Groups of constraints that depend on each other.
std::vector<Block> blocks(const SparseMatrix& S, const Vector& r, const std::vector<ForceCone>& cones) {
  std::vector<std::pair<Index, Index>> linked;
  linked.reserve(static_cast<std::size_t>(S.nonZeros()));
  for (Index j = 0; j < S.cols(); ++j)
    for (SparseMatrix::InnerIterator entry(S, j); entry; ++entry)
      if (entry.row() != j && entry.value() != 0) linked.emplace_back(entry.row(), j);
  for (const ForceCone& cone : cones)
    for (int t = 1; t <= cone.tangents; ++t) linked.emplace_back(cone.row, cone.row + t);
  const Vector scale = scales(S.diagonal(), cones);
  const bool symmetric = S.cols() > 0 && is_symmetric(S);
  std::vector<Block> result;
  std::vector<std::size_t> block_of(static_cast<std::size_t>(S.cols()));
  std::vector<Index> place(block_of.size());
  for (std::vector<Index>& order : numerics::narrow_order(S.cols(), linked)) {
    Block block;
    block.rows = order;
    std::sort(block.rows.begin(), block.rows.end());
    block.symmetric = symmetric;
    const Index n = static_cast<Index>(order.size());
    block.scale.resize(n);
    block.r.resize(n);
    for (Index k = 0; k < n; ++k) {
      const Index row = block.rows[k];
      block_of[row] = result.size();
      place[row] = k;
      block.scale[k] = scale[row];
      block.r[k] = scale[row] * r[row];
    }
    for (const Index row : order) block.order.push_back(place[row]);
    result.push_back(std::move(block));
  }
  for (Index j = 0; j < S.cols(); ++j)
    for (SparseMatrix::InnerIterator entry(S, j); entry; ++entry)
      if (entry.value() != 0)
        result[block_of[j]].entries.emplace_back(static_cast<int>(place[entry.row()]), static_cast<int>(place[j]),
                                                 scale[entry.row()] * entry.value() * scale[j]);
  for (const ForceCone& cone : cones)
    result[block_of[cone.row]].cones.push_back({place[cone.row], cone.tangents, cone.mu});
  return result;
}

}  // namespace

SharedForces share_forces(const SparseMatrix& S, const Vector& r, const std::vector<ForceCone>& cones) {
  if (S.cols() >= kManyRows && is_symmetric(S))
    if (std::optional<Vector> x = solve_sparse(S, r)) return {*std::move(x), false, {}};
  SharedForces result{Vector::Zero(r.size()), false, {}};
  for (const Block& block : blocks(S, r, cones)) {
    const std::vector<Index>& rows = block.rows;
    if (rows.size() == 1)
      if (const std::optional<double> x = force_alone(S.coeff(rows[0], rows[0]), r[rows[0]])) {
        result.x[rows[0]] = *x;
        continue;
      }
    const SharedForces part = share_block(block);
    result.x(rows) = part.x;
    result.redundant = result.redundant || part.redundant;
    if (part.open.empty()) continue;
    result.open.resize(static_cast<std::size_t>(r.size()), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) result.open[rows[i]] = part.open[i];
  }
  return result;
}

}  // namespace carom::simulate

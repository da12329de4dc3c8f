#include "carom/numerics/small_lcp.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/numerics/active_set.h"

namespace carom::numerics {
namespace {

constexpr int kPatience = 10;        // exchanges without progress before giving up
constexpr double kClear = 1e-9;      // of w, relative to q: closer to zero, x may not be unique
constexpr double kResidual = 1e-12;  // of the answer, relative to q

/// w = A x + q in unknowns of unit diagonal, with some pairs exchanged. The compiler knows the length of the rows, so
/// that loops over them unroll; they hold up to length - 1 unknowns, then q, then zeros.
template <int length>
struct Tableau {
  static constexpr int kMost = std::min<int>(length - 1, kSmallLcp);

  bool fill(const Eigen::Ref<const Matrix>& A, const Vector& q, const Vector& terms) {
    n = static_cast<int>(q.size());
    for (int i = 0; i < n; ++i) {
      if (!(A(i, i) > 0)) return false;
      unit[i] = 1 / std::sqrt(A(i, i));
    }
    double largest = 0;
    for (int j = 0; j < n; ++j) {
      row[j].fill(0);
      for (int i = 0; i < n; ++i) row[j][i] = A(i, j) * unit[i] * unit[j];
      row[j][n] = q[j] * unit[j];
      largest = std::max({largest, std::abs(row[j][n]), terms.size() > 0 ? terms[j] * unit[j] : 0});
    }
    scale = largest;
    return true;
  }

  /// Solves row k for its other unknown; false if the pivot is too small.
  bool exchange(int k) {
    std::array<double, length> solved = row[k];
    const double pivot = solved[k];
    if (!(pivot > kPivotTolerance)) return false;  // the diagonal of every exchanged tableau is positive
    exchanged[k] = !exchanged[k];
    const double inverse = 1 / pivot;
    for (double& entry : solved) entry *= -inverse;
    for (int i = 0; i < n; ++i) {
      const double factor = row[i][k];
      for (int j = 0; j < length; ++j) row[i][j] += factor * solved[j];
      row[i][k] = factor * inverse;
    }
    solved[k] = inverse;
    row[k] = solved;
    return true;
  }

  double value(int i) const { return row[i][n]; }  // x_i if exchanged, else w_i; the others are zero

  int n = 0;
  double scale = 0;
  std::array<std::array<double, length>, kMost> row;
  std::array<double, kMost> unit;
  std::array<bool, kMost> exchanged{};
};

/// Exchanges pairs of the wrong sign until there are none; the number of rounds, or 0 if that fails.
template <int length>
int settle_signs(Tableau<length>& tableau) {
  std::array<bool, kSmallLcp> wrong;
  for (int i = 0; i < tableau.n; ++i) wrong[i] = tableau.value(i) <= kSignTolerance * tableau.scale;
  int fewest = tableau.n + 1, patience = kPatience;
  for (int round = 1;; ++round) {
    for (int k = 0; k < tableau.n; ++k)
      if (wrong[k] && !tableau.exchange(k)) return 0;
    double largest = 0;
    for (int i = 0; i < tableau.n; ++i)
      if (tableau.exchanged[i]) largest = std::max(largest, std::abs(tableau.value(i)));
    int count = 0;
    for (int i = 0; i < tableau.n; ++i) {
      wrong[i] = !(tableau.value(i) >= -kSignTolerance * tableau.scale - kSignOfLarge * largest);
      count += wrong[i];
    }
    if (count == 0) return round;
    if (count < fewest) {
      fewest = count;
      patience = kPatience;
    } else if (--patience == 0) {
      return 0;
    }
  }
}

template <int length>
std::optional<LcpSolution> solve_by_tableau(const Eigen::Ref<const Matrix>& A, const Vector& q, const Vector& terms) {
  Tableau<length> tableau;
  if (!tableau.fill(A, q, terms)) return std::nullopt;
  const int rounds = settle_signs(tableau);
  if (rounds == 0) return std::nullopt;
  LcpSolution solution;
  solution.status = LcpStatus::solved;
  solution.iterations = rounds;
  solution.x.setZero(q.size());
  for (int i = 0; i < tableau.n; ++i) {
    if (!tableau.exchanged[i] && !(tableau.value(i) >= kClear * tableau.scale)) return std::nullopt;
    if (!tableau.exchanged[i]) continue;
    solution.x[i] = tableau.unit[i] * std::max(0.0, tableau.value(i));
  }
  solution.w.noalias() = A * solution.x;
  solution.w += q;
  for (int i = 0; i < tableau.n; ++i) {
    const double unit_w = tableau.unit[i] * solution.w[i];
    if (!((tableau.exchanged[i] ? std::abs(unit_w) : -unit_w) <= kResidual * tableau.scale)) return std::nullopt;
  }
  return solution;
}

}  // namespace

std::optional<LcpSolution> solve_small_lcp(const Eigen::Ref<const Matrix>& A, const Vector& q, const Vector& terms) {
  if (q.size() < 4) return solve_by_tableau<4>(A, q, terms);
  if (q.size() < 8) return solve_by_tableau<8>(A, q, terms);
  if (q.size() < 12) return solve_by_tableau<12>(A, q, terms);
  return solve_by_tableau<kSmallLcp + 2>(A, q, terms);
}

}  // namespace carom::numerics

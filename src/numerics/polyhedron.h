#pragma once

#include <optional>
#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// {v >= 0, A v = b}, A and b of order one: a dense simplex tableau, which stays feasible while unknowns are set to
/// zero one after the other. For some ten rows.
class Polyhedron {
 public:
  Polyhedron(const Matrix& A, const Vector& b);

  bool empty() const { return empty_; }
  /// False: the simplex method was given up, or rounding may have decided what it said so far.
  bool sure() const { return sure_; }
  double work() const { return work_; }  // entries of tableaux that were computed
  /// v[column] = 0 from now on. False if that leaves nothing; then it is not to be used any more.
  bool forbid(Index column);
  bool allows(Index column) const { return !forbidden_[column]; }

  /// The least c'v, at a vertex that becomes the present one; nothing if there is none.
  std::optional<double> least(const Vector& cost);
  bool is_zero(const Vector& cost);  // c'v = 0 for all v, where it is never negative

  Vector point() const;  // the present vertex
  /// All vertices, found by going from one to the next; nothing if there are more than `most`.
  std::optional<std::vector<Vector>> vertices(std::size_t most) const;
  /// Directions in which it has no end, found along with the vertices.
  bool bounded() const;

 private:
  void pivot(Index row, Index column);
  void refresh();                    // computes the tableau anew, without the rounding of many pivots
  bool descend(const Vector& cost);  // false if unbounded
  Index leaving_row(Index column) const;
  Vector basic_costs(const Vector& cost) const;

  Matrix A_;        // (rows x unknowns + 1) as given, with b, without rows that say nothing new
  int pivots_ = 0;  // since the tableau was computed
  Matrix tableau_;  // (rows x unknowns + 1) the last column has the values of the basis
  std::vector<Index> basis_;
  std::vector<char> forbidden_;
  bool empty_ = false, sure_ = true;
  double work_ = 0;
};

}  // namespace carom::numerics

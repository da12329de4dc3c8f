#pragma once

#include <Eigen/Core>
#include <optional>
#include <utility>
#include <vector>

#include "carom/numerics/friction_cone.h"

namespace carom::numerics {

/// Coulomb's law as equations F(x) = 0 [Alart, Curnier 1991]:
///   F_N = x_N - max(least, x_N - w_N),   F_T = x_T - P(x_T - w_T),   P onto the disc of radius mu x_N,   w = A x + q,
/// in unknowns of unit diagonal (one scale a contact, so that its cone stays a cone), and with the contacts in an order
/// that does not depend on the one they come in. Linear systems are dense for few rows or a full A, or narrow where A
/// is that of a chain, sparse elsewhere.
class ConeEquations {
 public:
  ConeEquations(const SparseMatrix& A, const Vector& q, const std::vector<FrictionCone>& cones, const Vector& terms);

  Index size() const { return q_.size(); }
  bool is_dense() const { return dense_; }
  double weight() const { return weight_; }  // of velocities: the largest term of q; 0 where nothing moves
  const Vector& q() const { return q_; }
  Matrix matrix() const { return full_.size() > 0 ? full_ : Matrix(sparse_); }
  const std::vector<FrictionCone>& cones() const { return cones_; }

  Vector start() const;                    // each contact carries the least it must
  Vector ordered(const Vector& x) const;   // from the caller's order and units
  Vector original(const Vector& x) const;  // and back

  void multiply(const Vector& x, Vector& Ax) const;
  void residual(const Vector& x, const Vector& w, Vector& F) const;
  void project(Vector& x) const;  // onto the cones; a contact that must carry `least` keeps at least that

  /// The largest of F relative to the data (an x that runs away is no answer), less what rounding makes of w.
  double residual(const Vector& F, const Vector& x) const;

  /// Newton's step at x; nothing if even the regularised equations cannot be solved. `singular`: they had to be.
  std::optional<Vector> newton_step(const Vector& x, const Vector& w, const Vector& F, bool& singular);

  /// About how many multiplications a gradient step takes, and whether Newton's step at x takes less than some.
  double gradient_cost() const { return gradient_cost_; }
  bool newton_costs_less_than(double multiplications, const Vector& x);

 private:
  static constexpr double kSingular = 1e-13;  // ratio of pivots below which the derivative is singular
  static constexpr double kProximal = 1e-7;   // of the diagonal, added then

  /// The derivative of a contact's equations: own(i, j) by its own unknowns, across(i, t) times row t of A by all.
  struct Rows {
    Eigen::Matrix3d own = Eigen::Matrix3d::Zero(), across = Eigen::Matrix3d::Zero();
    bool open = false;  // its unknowns are known
  };
  Rows derivative(const FrictionCone& cone, const Vector& x, const Vector& w) const;
  void dense_step(const std::vector<Rows>& rows, Vector& change, bool& singular);
  void narrow_step(const std::vector<Rows>& rows, Vector& change, bool& singular);
  bool sparse_step(const std::vector<Rows>& rows, Vector& change);
  /// Newton's equations of the unknowns that are not known, in the places `in_J` (-1: known).
  struct Coupled {
    std::vector<Eigen::Triplet<double>> entries;
    Vector right;
  };
  Coupled coupled(const std::vector<Rows>& rows, const Vector& change, const std::vector<Index>& in_J, Index count,
                  double proximal) const;
  void find_narrow_order();
  std::vector<std::pair<Index, Index>> linked_contacts() const;
  void fill(const SparseMatrix& A);
  double scaled(const SparseMatrix::InnerIterator& entry) const {
    return scale_[entry.row()] * scale_[entry.col()] * entry.value();
  }
  double largest_row_sum() const;

  std::vector<FrictionCone> cones_;
  std::vector<Index> place_;  // of each row of the caller's
  Vector scale_, q_, terms_;
  bool dense_ = true;          // linear systems
  Matrix full_;                // for them, unless they are narrow
  SparseMatrix sparse_;        // for products, unless A is full
  std::vector<Index> narrow_;  // rows in an order in which those that feel each other are near; empty: there is none
  double weight_ = 0, gradient_cost_ = 0, newton_cost_ = 0;
  mutable double largest_row_sum_ = -1;
};

}  // namespace carom::numerics

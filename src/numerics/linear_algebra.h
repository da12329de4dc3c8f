#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cmath>

namespace carom {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using SparseMatrix = Eigen::SparseMatrix<double>;  // column-major: a column is a direction

/// 1/sqrt(d_i), and 0 where d_i is not positive: scales a positive semidefinite matrix of diagonal d to unit diagonal.
inline Vector unit_scale(const Vector& diagonal) {
  return diagonal.unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
}

/// Whether every entry is a finite number: 0 times such a one is 0, times any other NaN.
template <class Values>
bool all_finite(const Eigen::MatrixBase<Values>& values) {
  return (values * 0.0).sum() == 0.0;
}

}  // namespace carom

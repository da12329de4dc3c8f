#include "carom/numerics/sparse_decompositions.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <vector>

namespace carom::numerics {

struct SparseCholesky::Factors : Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::AMDOrdering<int>> {};

SparseCholesky::SparseCholesky(const SparseMatrix& pattern) : factors_(std::make_unique<Factors>()) {
  factors_->analyzePattern(pattern);
}
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;
SparseCholesky::~SparseCholesky() = default;

bool SparseCholesky::factorize(const SparseMatrix& A) {
  factors_->factorize(A);
  return factors_->info() == Eigen::Success;
}

double SparseCholesky::least_pivot() const {
  return factors_->vectorD().minCoeff();
}

Vector SparseCholesky::solve(const Vector& b) const {
  return factors_->solve(b);
}

struct SparseLu::Factors : Eigen::SparseLU<SparseMatrix, Eigen::AMDOrdering<int>> {};

SparseLu::SparseLu(const SparseMatrix& A, double diagonal) : factors_(std::make_unique<Factors>()) {
  factors_->isSymmetric(true);
  factors_->setPivotThreshold(diagonal);
  factors_->compute(A);
}
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;
SparseLu::~SparseLu() = default;

bool SparseLu::is_singular() const {
  return factors_->info() != Eigen::Success;
}

double SparseLu::entries() const {
  return static_cast<double>(factors_->nnzL() + factors_->nnzU());
}

Vector SparseLu::solve(const Vector& b) const {
  return factors_->solve(b);
}

double factorization_cost(const SparseMatrix& pattern) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  const auto count = static_cast<int>(pattern.cols());
  std::vector<int> place(at(count)), parent(at(count), -1), seen(at(count), -1), below(at(count), 0);
  for (int k = 0; k < count; ++k) place[at(order.indices()[k])] = k;
  for (int k = 0; k < count; ++k) {  // row k of the factor: all that its entries' ancestors before k are
    seen[at(k)] = k;
    for (SparseMatrix::InnerIterator entry(pattern, order.indices()[k]); entry; ++entry)
      for (int i = place[at(entry.row())]; i < k && seen[at(i)] != k; i = parent[at(i)]) {
        if (parent[at(i)] < 0) parent[at(i)] = k;
        ++below[at(i)];
        seen[at(i)] = k;
      }
  }
  double cost = 0;
  for (const int entries : below) cost += (1.0 + entries) * (1.0 + entries);
  return cost;
}

}  // namespace carom::numerics

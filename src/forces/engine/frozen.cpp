#include "carom/forces/engine/frozen.h"

namespace carom::forces {
namespace {

constexpr Index kDense = 64;  // rows up to which products with a dense G are faster

}  // namespace

Frozen::Frozen(const ContactProblem& problem) : problem_(problem) {
  if (rows() <= kDense) dense_ = Matrix(problem.G);
}

void Frozen::multiply(const double* values, double* result) const {
  const Eigen::Map<const Vector> in(values, rows());
  Eigen::Map<Vector> out(result, rows());
  if (dense_.size() > 0)
    out.noalias() += dense_ * in;
  else
    out += problem_.G * in;
}

void Frozen::observe(double /*t*/, const double* x, double* d, double* gamma) const {
  for (Index i = 0; i < contacts(); ++i) d[i] = x[i];
  for (Index i = 0; i < rows(); ++i) gamma[i] = problem_.gamma_free[i];
  multiply(x + contacts(), gamma);
}

void Frozen::observe_one(Index contact, double /*t*/, const double* x, double* d, double* gamma) const {
  d[contact] = x[contact];
  for (Index k = row(contact); k <= row(contact) + tangents(contact); ++k) {
    gamma[k] = problem_.gamma_free[k];
    for (SparseMatrix::InnerIterator entry(problem_.G, k); entry; ++entry)  // G is symmetric
      gamma[k] += entry.value() * x[contacts() + entry.row()];
  }
}

void Frozen::move(double /*t*/, const double* x, const double* force, double* dx) const {
  Vector gamma = problem_.gamma_free;
  multiply(x + contacts(), gamma.data());
  for (Index i = 0; i < contacts(); ++i) dx[i] = -gamma[row(i)];
  for (Index i = 0; i < rows(); ++i) dx[contacts() + i] = force[i];
}

void Frozen::accelerate(double /*t*/, const double* /*x*/, const double* force, double* acceleration) const {
  for (Index i = 0; i < rows(); ++i) acceleration[i] = 0;
  multiply(force, acceleration);
}

Matrix Frozen::mobility(double /*t*/, const double* /*x*/, const std::vector<Index>& chosen) const {
  const Index n = static_cast<Index>(chosen.size());
  Matrix result(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) result(i, j) = problem_.G.coeff(chosen[i], chosen[j]);
  return result;
}

void Frozen::push(double /*t*/, const double* impulse, double* x) const {
  for (Index i = 0; i < rows(); ++i) x[contacts() + i] += impulse[i];
}

Vector Frozen::scales(double speed, const Vector& depth) const {
  Vector result(size());
  result.head(contacts()) = depth;
  const Vector G = problem_.G.diagonal();
  const double largest = G.maxCoeff();
  for (Index i = 0; i < rows(); ++i) result[contacts() + i] = speed / (G[i] > 0 ? G[i] : largest);
  return result;
}

}  // namespace carom::forces

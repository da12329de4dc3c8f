#include "carom/forces/engine/window.h"

#include <algorithm>
#include <cmath>

namespace carom::forces {

Window::Window(const Matrix& G, Vector gamma) : G_(G.sparseView()), gamma_(std::move(gamma)) {
  constexpr Index kSparse = 3;  // times as many entries as not zero: then products leave them out
  if (kSparse * G_.nonZeros() > G.size()) dense_ = G;
}

Vector Window::times_G(const double* values) const {
  const Eigen::Map<const Vector> in(values, contacts());
  if (dense_.size() > 0) return dense_ * in;
  return G_ * in;
}

void Window::observe(double /*t*/, const double* x, double* d, double* gamma) const {
  const Index n = contacts();
  std::copy(x, x + n, d);
  Eigen::Map<Vector>(gamma, n) = gamma_ + times_G(x + n);
}

void Window::observe_one(Index contact, double /*t*/, const double* x, double* d, double* gamma) const {
  d[contact] = x[contact];
  gamma[contact] = gamma_[contact];
  for (SparseMatrix::InnerIterator entry(G_, contact); entry; ++entry)
    gamma[contact] += entry.value() * x[contacts() + entry.row()];
}

void Window::move(double /*t*/, const double* x, const double* force, double* dx) const {
  const Index n = contacts();
  Eigen::Map<Vector>(dx, n) = -gamma_ - times_G(x + n);
  std::copy(force, force + n, dx + n);
}

void Window::accelerate(double /*t*/, const double* /*x*/, const double* force, double* acceleration) const {
  Eigen::Map<Vector>(acceleration, contacts()) = times_G(force);
}

Matrix Window::mobility(double /*t*/, const double* /*x*/, const std::vector<Index>& chosen) const {
  const Index n = static_cast<Index>(chosen.size());
  Matrix result(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) result(i, j) = G_.coeff(chosen[i], chosen[j]);
  return result;
}

void Window::push(double /*t*/, const double* impulse, double* x) const {
  Eigen::Map<Vector>(x + contacts(), contacts()) += Eigen::Map<const Vector>(impulse, contacts());
}

Vector Window::scales(double speed, const Vector& depth) const {
  Vector result(size());
  result.head(contacts()) = depth;
  const Vector G = G_.diagonal();
  for (Index i = 0; i < contacts(); ++i) result[contacts() + i] = speed / (G[i] > 0 ? G[i] : G.maxCoeff());
  return result;
}

Flight::Flight(Vector d, Vector gamma)
    : d_(std::move(d)), gamma_(std::move(gamma)), since_(Vector::Zero(d_.size())), stamp_(d_.size(), 0) {}

void Flight::set(Index i, double t, double d, double gamma) {
  d_[i] = d;
  gamma_[i] = gamma;
  since_[i] = t;
}

void Flight::release(Index i, double floor, double noise) {
  ++stamp_[i];
  if (gamma_[i] < -noise) closing_.push({since_[i] + std::max((d_[i] - floor) / gamma_[i], 0.0), i, stamp_[i]});
}

Flight::Closing Flight::next() {
  while (!closing_.empty() && closing_.top().stamp != stamp_[closing_.top().contact]) closing_.pop();
  return closing_.empty() ? Closing{} : closing_.top();
}

}  // namespace carom::forces

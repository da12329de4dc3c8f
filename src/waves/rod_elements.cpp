#include "carom/waves/rod_elements.h"

#include <cmath>

namespace carom::waves {

RodElements::RodElements(const Rod& rod, int n, double h)
    : rod_(rod), n_(n), h_(h), d_(rod.length / n), spring_(rod.E * rod.area / d_), pivot_(n), factor_(n) {
  const double m = rod.rho * rod.area * d_;
  beside_ = 0.25 * h * h * spring_ - m / 6;
  double row = 0;  // sum of the row that is left after elimination: no difference of large numbers makes a pivot
  for (Index i = 0; i < n_; ++i) {
    factor_[i] = i > 0 ? beside_ / pivot_[i - 1] : 0;
    row = m + factor_[i] * row;
    if (i == 0) row += 0.25 * h * h * held(End::left);
    if (i + 1 == n_) row += 0.25 * h * h * held(End::right);
    pivot_[i] = row + (i + 1 < n_ ? beside_ : 0);
  }
  from_left_ = solve(0.5 * h * Vector::Unit(n_, 0));
  from_right_ = solve(0.5 * h * Vector::Unit(n_, n_ - 1));
  u_ = Vector::Zero(n_);
  v_ = v_middle_ = Vector::Constant(n_, rod.velocity);
}

bool RodElements::is_in_range() const {
  const double m = rod_.rho * rod_.area * d_;
  return std::isnormal(m) && std::isnormal(h_ * h_ * spring_ + m) && std::isnormal(end_compliance()) &&
         std::isnormal(compliance(End::left)) && std::isnormal(pivot_.minCoeff()) && std::isfinite(pivot_.maxCoeff());
}

Vector RodElements::mass_times(const Vector& v) const {
  const double m = rod_.rho * rod_.area * d_;
  Vector result = m * v;
  for (Index i = 0; i + 1 < n_; ++i) {
    const double across = m / 6 * (v[i + 1] - v[i]);
    result[i] += across;
    result[i + 1] -= across;
  }
  return result;
}

Vector RodElements::stiffness_times(const Vector& u) const {
  Vector result = Vector::Zero(n_);
  for (Index i = 0; i + 1 < n_; ++i) {
    const double tension = spring_ * (u[i + 1] - u[i]);
    result[i] -= tension;
    result[i + 1] += tension;
  }
  result[0] += held(End::left) * u[0];
  result[n_ - 1] += held(End::right) * u[n_ - 1];
  return result;
}

Vector RodElements::solve(Vector right) const {
  for (Index i = 1; i < n_; ++i) right[i] += factor_[i] * right[i - 1];
  right[n_ - 1] /= pivot_[n_ - 1];
  for (Index i = n_ - 2; i >= 0; --i) right[i] = (right[i] + beside_ * right[i + 1]) / pivot_[i];
  return right;
}

void RodElements::move_freely() {
  Vector forces = -stiffness_times(u_);
  forces[0] += rod_.force_at(End::left);
  forces[n_ - 1] += rod_.force_at(End::right);
  Vector right = mass_times(v_) + 0.5 * h_ * forces;
  v_middle_ = solve(std::move(right));
}

void RodElements::push(End end, double force) {
  v_middle_ += force * (end == End::left ? from_left_ : from_right_);
}

void RodElements::finish_step() {
  u_ += h_ * v_middle_;
  v_ = 2 * v_middle_ - v_;
}

double RodElements::end_displacement(End end, Moment moment) const {
  const Index node = end == End::left ? 0 : n_ - 1;
  const double step = moment == Moment::end_of_step ? h_ * v_middle_[node] : 0;
  return u_[node] + step + end_compliance() * rod_.force_at(end);
}

double RodElements::compliance(End end) const {
  return h_ * (end == End::left ? from_left_[0] : from_right_[n_ - 1]) + end_compliance();
}

double RodElements::cross_compliance() const {
  return h_ * from_left_[n_ - 1];
}

RodState RodElements::state() const {
  return {v_.mean(), 0.5 * v_.dot(mass_times(v_)), 0.5 * u_.dot(stiffness_times(u_))};
}

std::vector<Piece> RodElements::fields() const {
  std::vector<Piece> result;
  const auto stress = [&](Index i) { return spring_ * (u_[i + 1] - u_[i]) / rod_.area; };
  for (Index i = 0; i < n_; ++i) {
    const double left = stress(i > 0 ? i - 1 : 0), right = stress(i + 1 < n_ ? i : n_ - 2);
    result.push_back({static_cast<double>(i) * d_, static_cast<double>(i + 1) * d_, v_[i], 0.5 * (left + right)});
  }
  return result;
}

double RodElements::work() const {
  return rod_.force_at(End::left) * u_[0] + rod_.force_at(End::right) * u_[n_ - 1];
}

}  // namespace carom::waves

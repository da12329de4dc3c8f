#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "carom/numerics/bernstein.h"
#include "carom/numerics/linear_algebra.h"
#include "carom/numerics/runge_kutta_pairs.h"

namespace carom::numerics {

/// One step at a time of an explicit Runge-Kutta pair for y' = f(t, y), f(t, y, dy) writing the derivative. The caller
/// owns t and y and decides; the stepper owns the stages, allocated once by `resize`.
///
///   stepper.start(f, t, y);                             // once, and whenever f or y changed
///   const double error = stepper.attempt(f, t, h, y, weight);
///   if (error <= 1) { stepper.finish(f, t + h); use stepper.end() ...; stepper.advance(); }
///
/// Between `finish` and `advance`, `interpolate` prepares the polynomial of the step.
template <class Pair>
class RungeKutta {
 public:
  static constexpr int degree = 3 + Pair::dense_rows;  // of the interpolating polynomial

  void resize(Index size) {
    size_ = size;
    storage_.resize((Pair::rows + 2) * size);
    for (int row = 0; row < Pair::rows; ++row) k_[row] = storage_.data() + row * size;
    end_ = storage_.data() + Pair::rows * size;
    argument_ = end_ + size;
    has_end_derivative_ = false;
  }

  template <class F>
  void start(F&& f, double t, const double* y) {
    f(t, y, k_[0]);
    has_end_derivative_ = false;
  }

  /// Tries a step of length h. Returns its estimated error: the largest entry, in units of 1 / weight.
  template <class F>
  double attempt(F&& f, double t, double h, const double* y, const double* weight) {
    has_end_derivative_ = false;
    [&]<std::size_t... row>(std::index_sequence<row...>) {
      (stage<row + 1>(f, t, h, y), ...);
    }
    (std::make_index_sequence<Pair::stages - 1>{});
    combine<Pair::stages>(h, y, end_);
    if constexpr (Pair::error_uses_end) finish(f, t + h);
    return Pair::error_norm(h * largest<0>(weight), h * largest<Pair::error_rows - 1>(weight));
  }

  /// The same of entry i alone, after `attempt`.
  double error_at(Index i, double h, const double* weight) const {
    const double unit = h * weight[i];
    return Pair::error_norm(unit * estimate<0>(i), unit * estimate<Pair::error_rows - 1>(i));
  }

  const double* end() const { return end_; }

  /// The derivative at the end of the step; costs an evaluation where the error estimate did not need it.
  template <class F>
  void finish(F&& f, double t_end) {
    if (has_end_derivative_) return;
    f(t_end, end_, k_[Pair::stages]);
    has_end_derivative_ = true;
  }
  const double* start_derivative() const { return k_[0]; }
  const double* end_derivative() const { return k_[Pair::stages]; }

  /// The end becomes the start of the next step; the caller copies end() to its y.
  void advance() { std::swap(k_[0], k_[Pair::stages]); }

  /// Prepares `polynomial` for the finished step from y.
  template <class F>
  void interpolate(F&& f, double t, double h, const double* y) {
    finish(f, t + h);
    y_ = y;
    h_ = h;
    [&]<std::size_t... row>(std::index_sequence<row...>) {
      (extra_stage<Pair::stages + 1 + row>(f, t, h, y), ...);
    }
    (std::make_index_sequence<Pair::rows - Pair::stages - 1>{});
  }

  /// Component i over the interpolated step, theta = 0 at its start and 1 at its end, in Bernstein form.
  Bernstein<degree> polynomial(Index i) const { return from_nested<degree>(nested(i)); }

  /// The same at one theta.
  double value(Index i, double theta) const { return value(nested(i), theta); }

  /// The same in the form r0 + theta (r1 + (1 - theta) (r2 + theta (r3 + ...))), and its value.
  using Nested = std::array<double, degree + 1>;
  static double value(const Nested& r, double theta) {
    double result = r[degree];
    for (int j = degree - 1; j >= 0; --j) result = r[j] + (j % 2 == 0 ? theta : 1 - theta) * result;
    return result;
  }
  Nested nested(Index i) const {
    Nested nested;
    nested[0] = y_[i];
    nested[1] = end_[i] - y_[i];
    nested[2] = h_ * k_[0][i] - nested[1];
    nested[3] = nested[1] - h_ * k_[Pair::stages][i] - nested[2];
    for (int row = 0; row < Pair::dense_rows; ++row) {
      double total = 0;
      for (int j = 0; j < Pair::rows; ++j) total += Pair::dense[row][j] * k_[j][i];
      nested[4 + row] = h_ * total;
    }
    return nested;
  }

 private:
  template <std::size_t row>
  void combine(double h, const double* y, double* __restrict out) const {
    [&]<std::size_t... j>(std::index_sequence<j...>) {
      const std::array<const double*, row> k = {k_[j]...};
      for (Index i = 0; i < size_; ++i) out[i] = y[i] + h * sum<row, j...>(k, i);
    }
    (std::make_index_sequence<row>{});
  }
  template <std::size_t row, std::size_t... j>
  static double sum(const std::array<const double*, row>& k, Index i) {
    double total = 0;
    ((Pair::a[row][j] != 0 ? void(total += Pair::a[row][j] * k[j][i]) : void()), ...);
    return total;
  }

  template <std::size_t row, class F>
  void stage(F& f, double t, double h, const double* y) {
    combine<row>(h, y, end_);
    f(t + Pair::c[row] * h, end_, k_[row]);
  }

  template <std::size_t row, class F>
  void extra_stage(F& f, double t, double h, const double* y) {
    combine<row>(h, y, argument_);
    f(t + Pair::c[row] * h, argument_, k_[row]);
  }

  /// One error estimate but for the factor h.
  template <int row>
  double estimate(Index i) const {
    double total = 0;
    [&]<std::size_t... j>(std::index_sequence<j...>) {
      ((Pair::error[row][j] != 0 ? void(total += Pair::error[row][j] * k_[j][i]) : void()), ...);
    }
    (std::make_index_sequence<Pair::stages + 1>{});
    return std::abs(total);
  }
  template <int row>
  double largest(const double* weight) const {
    double result = 0;
    for (Index i = 0; i < size_; ++i) {
      const double size = estimate<row>(i) * weight[i];
      if (!(size <= result)) result = size;  // keeps a NaN
    }
    return result;
  }

  Index size_ = 0;
  std::vector<double> storage_;
  std::array<double*, Pair::rows> k_{};
  double* end_ = nullptr;
  double* argument_ = nullptr;  // of the extra stages
  const double* y_ = nullptr;
  double h_ = 0;
  bool has_end_derivative_ = false;
};

/// Proposes the length of the next step so that its error is just below 1.
class StepControl {
 public:
  explicit StepControl(int error_order) : exponent_(1.0 / (error_order + 1)) {}

  double after_success(double h, double error) {
    const double factor = error > 0 ? kSafety * std::pow(error, -exponent_) : kMost;
    const double most = rejected_ ? 1.0 : kMost;
    rejected_ = false;
    return h * std::fmin(most, std::fmax(kLeast, factor));
  }
  double after_failure(double h, double error) {
    rejected_ = true;
    return h * (std::isfinite(error) ? std::fmax(kLeast, kSafety * std::pow(error, -exponent_)) : kLeast);
  }

 private:
  static constexpr double kSafety = 0.9, kLeast = 0.1, kMost = 6;
  double exponent_;
  bool rejected_ = false;
};

}  // namespace carom::numerics

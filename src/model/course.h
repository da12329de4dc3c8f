#pragma once

#include <memory>
#include <string_view>
#include <vector>

namespace carom {

/// A quantity at one instant with its first and second derivative in time.
struct Jet {
  double value = 0, rate = 0, acceleration = 0;
};

/// A known course of a quantity over time: a constant, a formula of t, or a record.
class Course {
 public:
  Course(double constant = 0) : constant_(constant) {}  // NOLINT(google-explicit-constructor): numbers are courses

  /// For example "0.01*sin(2*pi*5*t)": + - * / ^, parentheses, t, pi, sin, cos, tan, exp, log, sqrt, abs, tanh, min,
  /// max, step(x) (1 where x > 0). Derivatives are exact. Throws InputError whose place is the column, counted from 1.
  static Course formula(std::string_view text);

  /// Through the given points as a smooth (natural cubic) spline; constant before and after them. Times ascend.
  static Course table(std::vector<double> times, std::vector<double> values);

  Jet at(double t) const;
  bool is_constant() const { return !formula_ && !table_; }

 private:
  struct Formula;
  struct Table;
  double constant_ = 0;
  std::shared_ptr<const Formula> formula_;  // immutable, so copies may share
  std::shared_ptr<const Table> table_;
};

}  // namespace carom

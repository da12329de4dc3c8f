#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "carom/model/formula.h"

namespace carom {

/// A known time function of a quantity over time: a constant, a formula of t, a record, or the integral of one of
/// these.
class TimeFunction {
 public:
  TimeFunction(double constant = 0)
      : constant_(constant) {}  // NOLINT(google-explicit-constructor): numbers are time functions

  /// For example "0.01*sin(2*pi*5*t)"; formula.h says what may stand in it. Throws InputError whose place is the
  /// column, counted from 1.
  static TimeFunction formula(std::string_view text, const Constants& constants = {});

  /// Through the given points as a natural cubic spline: value, rate and acceleration are continuous between the first
  /// and the last. Constant before and after them. Times ascend. Throws InputError with a place such as times[2].
  static TimeFunction table(std::vector<double> times, std::vector<double> values);

  /// Integral of a rate from 0 to t: a position from a velocity, a velocity from an acceleration; at most twice. Exact
  /// for constants and records; for formulas relative to about 1e-13 from 0 to `duration` and little beyond. Its own
  /// derivatives are the rate and the rate's derivative. Throws InputError without a place where the rate is not finite
  /// or changes too fast and too long to be followed.
  static TimeFunction integral(const TimeFunction& rate, double duration);

  /// A record without the acceleration c0 + c1 t that leads its integral and that one's integral away from 0 at its
  /// last line. Throws InputError if it is no record.
  static TimeFunction without_drift(const TimeFunction& record);

  Jet at(double t) const;
  bool is_constant() const { return !formula_ && !table_ && !integral_; }

  /// The first time in (from, to] at which the time function is not smooth: where a formula changes its branch, where a
  /// record begins or ends, where that happens to the rate of an integral. The time function is smooth from `from` to
  /// just before it, and at(kink) is what comes after. Points of a record in between are none: acceleration is
  /// continuous there.
  std::optional<double> next_kink(double from, double to) const;

  TimeFunction plus(double offset) const;   // offset + time function
  TimeFunction times(double factor) const;  // factor * time function

 private:
  struct Table;
  struct Integral;
  double constant_ = 0, factor_ = 1;        // constant + factor * (formula, table or integral)
  std::shared_ptr<const Formula> formula_;  // immutable, so copies may share
  std::shared_ptr<const Table> table_;
  std::shared_ptr<const Integral> integral_;
};

}  // namespace carom

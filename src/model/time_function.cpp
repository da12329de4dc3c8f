#include "carom/model/time_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/base/error.h"
#include "carom/numerics/antiderivative.h"

namespace carom {

/// On [t_i, t_i+1] of length h, with w = (t - t_i) / h, v = 1 - w and m the second derivatives at the points:
///   y = v y_i + w y_i+1 + h^2/6 ((v^3 - v) m_i + (w^3 - w) m_i+1).
struct TimeFunction::Table {
  std::vector<double> t, y, m;

  std::size_t interval(double time) const {  // time is between the first and the last
    return static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), time) - t.begin()) - 1;
  }

  Jet at(double time) const {
    if (time <= t.front()) return {y.front(), 0, 0};
    if (time >= t.back()) return {y.back(), 0, 0};
    const std::size_t i = interval(time);
    const double h = t[i + 1] - t[i], w = (time - t[i]) / h, v = 1 - w;
    return {v * y[i] + w * y[i + 1] + h * h / 6 * ((v * v * v - v) * m[i] + (w * w * w - w) * m[i + 1]),
            (y[i + 1] - y[i]) / h + h / 6 * ((1 - 3 * v * v) * m[i] + (3 * w * w - 1) * m[i + 1]),
            v * m[i] + w * m[i + 1]};
  }

  std::optional<double> next_kink(double from, double to) const {
    if (t.size() < 2) return {};
    for (const double kink : {std::nextafter(t.front(), t.back()), t.back()})
      if (kink > from) return kink <= to ? std::optional(kink) : std::nullopt;
    return {};
  }

  /// Of y from t_i to t_i + w h.
  double integral(std::size_t i, double w) const {
    const double h = t[i + 1] - t[i], v = 1 - w, v2 = v * v, w2 = w * w;
    return h * (y[i] * (1 - v2) / 2 + y[i + 1] * w2 / 2 +
                h * h / 24 * (m[i] * (2 * v2 - v2 * v2 - 1) + m[i + 1] * (w2 * w2 - 2 * w2)));
  }
  /// Of that integral, over the same way.
  double second_integral(std::size_t i, double w) const {
    const double h = t[i + 1] - t[i], v = 1 - w, v3 = v * v * v, w3 = w * w * w;
    return h * h *
           (y[i] * (w - (1 - v3) / 3) / 2 + y[i + 1] * w3 / 6 +
            h * h / 24 *
                (m[i] * (2 * (1 - v3) / 3 - (1 - v3 * v * v) / 5 - w) + m[i + 1] * (w3 * w * w / 5 - 2 * w3 / 3)));
  }
};

struct TimeFunction::Integral {
  TimeFunction rate;
  std::vector<double> sums;                              // of a record: its integral from its first line to each
  double at_0 = 0;                                       // of a record: the same to t = 0
  std::vector<double> second_sums;                       // of the integral of a record: the integral of that
  double second_at_0 = 0;                                // the same
  std::optional<numerics::Antiderivative> of_a_formula;  // from 0 to t

  Integral(const TimeFunction& rate_, double duration) : rate(rate_) {
    if (rate.formula_) {
      of_a_formula.emplace([formula = rate.formula_](double t) { return formula->at(t).value; }, 0, duration);
    } else if (rate.table_) {
      sums.push_back(0);
      for (std::size_t i = 0; i + 1 < rate.table_->t.size(); ++i)
        sums.push_back(sums.back() + rate.table_->integral(i, 1));
      at_0 = of_record(0);
    } else if (rate.integral_ && rate.integral_->rate.table_) {
      const Integral& inner = *rate.integral_;
      const Table& table = *inner.rate.table_;
      second_sums.push_back(0);
      for (std::size_t i = 0; i + 1 < table.t.size(); ++i)
        second_sums.push_back(second_sums.back() + inner.sums[i] * (table.t[i + 1] - table.t[i]) +
                              table.second_integral(i, 1));
      second_at_0 = of_integral_of_record(0);
    } else if (rate.integral_ && rate.integral_->of_a_formula) {
      of_a_formula.emplace([inner = rate.integral_](double t) { return inner->at(t).value; }, 0, duration);
    }
  }

  Jet at(double t) const {
    const Jet now = rate.at(t);
    double value = rate.constant_ * t;
    if (of_a_formula) value += rate.factor_ * of_a_formula->at(t);
    if (rate.table_) value += rate.factor_ * (of_record(t) - at_0);
    if (rate.integral_ && !of_a_formula) value += rate.factor_ * second(t);
    return {value, now.value, now.rate};
  }

  /// The integral from 0 of the integral of a constant or of a record.
  double second(double t) const {
    const Integral& inner = *rate.integral_;
    double value = inner.rate.constant_ * t * t / 2;
    if (inner.rate.table_) value += inner.rate.factor_ * (of_integral_of_record(t) - second_at_0 - inner.at_0 * t);
    return value;
  }

  /// Of inner.of_record, from the first line on.
  double of_integral_of_record(double time) const {
    const Integral& inner = *rate.integral_;
    const Table& table = *inner.rate.table_;
    if (time <= table.t.front()) {
      const double before = time - table.t.front();
      return table.y.front() * before * before / 2;
    }
    if (time >= table.t.back()) {
      const double after = time - table.t.back();
      return second_sums.back() + inner.sums.back() * after + table.y.back() * after * after / 2;
    }
    const std::size_t i = table.interval(time);
    const double since = time - table.t[i];
    return second_sums[i] + inner.sums[i] * since + table.second_integral(i, since / (table.t[i + 1] - table.t[i]));
  }

  double of_record(double time) const {
    const Table& table = *rate.table_;
    if (time <= table.t.front()) return table.y.front() * (time - table.t.front());
    if (time >= table.t.back()) return sums.back() + table.y.back() * (time - table.t.back());
    const std::size_t i = table.interval(time);
    return sums[i] + table.integral(i, (time - table.t[i]) / (table.t[i + 1] - table.t[i]));
  }
};

namespace {

/// Continuity of the first derivative at the inner points, m = 0 at the ends: a tridiagonal system, solved by
/// elimination from the left.
std::vector<double> second_derivatives(const std::vector<double>& t, const std::vector<double>& y) {
  const std::size_t n = t.size();
  std::vector<double> m(n, 0.0), upper(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = t[i] - t[i - 1], after = t[i + 1] - t[i];
    const double bend = 6 * ((y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before);
    const double pivot = 2 * (before + after) - before * upper[i - 1];
    upper[i] = after / pivot;
    m[i] = (bend - before * m[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) m[i] -= upper[i] * m[i + 1];
  return m;
}

void require_table(const std::vector<double>& times, const std::vector<double>& values) {
  if (times.empty()) throw InputError("times", "is empty; a record has at least one line");
  if (times.size() != values.size())
    throw InputError("values",
                     fmt::format("has {} entries, times has {}; a value belongs to each", values.size(), times.size()));
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]))
      throw InputError(fmt::format("times[{}]", i), fmt::format("{} is not finite", times[i]));
    if (!std::isfinite(values[i]))
      throw InputError(fmt::format("values[{}]", i), fmt::format("{} is not finite", values[i]));
    if (i > 0 && !(times[i] > times[i - 1]))
      throw InputError(fmt::format("times[{}]", i),
                       fmt::format("{} is not after {}; times ascend", times[i], times[i - 1]));
  }
}

}  // namespace

TimeFunction TimeFunction::formula(std::string_view text, const Constants& constants) {
  TimeFunction time_function;
  time_function.formula_ = std::make_shared<const Formula>(text, constants);
  return time_function.formula_->has_time() ? time_function : TimeFunction(time_function.formula_->at(0).value);
}

TimeFunction TimeFunction::table(std::vector<double> times, std::vector<double> values) {
  require_table(times, values);
  TimeFunction time_function;
  std::vector<double> m = second_derivatives(times, values);
  time_function.table_ = std::make_shared<const Table>(Table{std::move(times), std::move(values), std::move(m)});
  return time_function;
}

TimeFunction TimeFunction::integral(const TimeFunction& rate, double duration) {
  if (rate.integral_ && rate.integral_->rate.integral_)
    throw InputError("", "is integrated twice already; accelerations are formulas or records");
  TimeFunction time_function;
  time_function.integral_ = std::make_shared<const Integral>(rate, duration);
  const std::optional<numerics::Antiderivative>& numerical = time_function.integral_->of_a_formula;
  if (numerical && numerical->trouble())
    throw InputError("", fmt::format("cannot be integrated over time beyond t = {:.6g}: it is not finite there, or "
                                     "changes too fast for a run that long; give the position instead",
                                     *numerical->trouble()));
  return time_function;
}

TimeFunction TimeFunction::without_drift(const TimeFunction& record) {
  if (!record.table_) throw InputError("", "is no record; only a record has a drift to be removed");
  const std::vector<double>& t = record.table_->t;
  const double T = t.back() - t.front();
  if (!(T > 0)) return record.times(0);
  std::vector<double> times = t, values = record.table_->y;
  for (double& time : times) time -= t.front();
  const TimeFunction moved = table(times, values);
  const TimeFunction velocity = integral(moved, T), position = integral(velocity, T);
  const double v = velocity.at(T).value, x = position.at(T).value;
  // c0 T + c1 T^2/2 = v,  c0 T^2/2 + c1 T^3/6 = x
  const double c1 = (6 * v * T - 12 * x) / (T * T * T), c0 = v / T - c1 * T / 2;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= c0 + c1 * times[i];
  TimeFunction result = table(t, std::move(values));
  result.constant_ = record.constant_;
  result.factor_ = record.factor_;
  return result;
}

Jet TimeFunction::at(double t) const {
  if (is_constant()) return {constant_, 0, 0};
  const Jet jet = formula_ ? formula_->at(t) : table_ ? table_->at(t) : integral_->at(t);
  return {constant_ + factor_ * jet.value, factor_ * jet.rate, factor_ * jet.acceleration};
}

std::optional<double> TimeFunction::next_kink(double from, double to) const {
  if (is_constant() || factor_ == 0) return {};
  return formula_ ? formula_->next_kink(from, to)
         : table_ ? table_->next_kink(from, to)
                  : integral_->rate.next_kink(from, to);
}

TimeFunction TimeFunction::plus(double offset) const {
  TimeFunction time_function = *this;
  time_function.constant_ += offset;
  return time_function;
}

TimeFunction TimeFunction::times(double factor) const {
  TimeFunction time_function = *this;
  time_function.constant_ *= factor;
  time_function.factor_ *= factor;
  return time_function;
}

}  // namespace carom

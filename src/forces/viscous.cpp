#include "carom/forces/viscous.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/numerics/root.h"

namespace carom::forces {
namespace {

/// (ln(1 + x) - x) / x^2 without cancellation, -1/2 at x = 0.
double log_remainder(double x) {
  constexpr double kSeries = 0.02;
  constexpr int kTerms = 10;
  if (std::abs(x) > kSeries) return (std::log1p(x) - x) / (x * x);
  double sum = 0;
  for (int n = kTerms; n >= 2; --n) sum = sum * -x - 1.0 / n;
  return sum;
}

/// Zero where D and e belong together, rising in both: the equation divided by D^2.
double mismatch(double D, double e) {
  return log_remainder(D) - e * e * log_remainder(-e * D);
}

}  // namespace

double restitution_of_ratio(double D) {
  if (D <= 0) return 1;
  const double most = D < 1 ? 1 : 1 / D;
  const auto f = [D](double e) { return e * D >= 1 ? HUGE_VAL : mismatch(D, e); };
  return std::clamp(numerics::bracketed_zero(f, most, 0.0), 0.0, most);
}

double ratio_of_restitution(double e) {
  if (e >= 1) return 0;
  const auto f = [e](double D) { return e * D >= 1 ? HUGE_VAL : mismatch(D, e); };
  return numerics::bracketed_zero(f, 1 / e, 0.0);
}

std::optional<Fault> fault_of_restitution(double e, std::string_view force) {
  if (e >= 0 && e <= 1) return std::nullopt;
  return Fault{"e", fmt::format("{} is outside [0, 1]; {} needs a coefficient of restitution in [0, 1]", e, force)};
}

}  // namespace carom::forces

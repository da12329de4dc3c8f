#include "carom/forces/power_curve.h"

#include <limits>

namespace carom::forces {
namespace {

constexpr int kSeriesRounds = 60;

/// The z at which ln(exp(a + p z) + exp(b + q z)) = 0, p, q > 0. The sum of exponentials is convex in its logarithm, so
/// Newton's steps from the right never leave that side.
double zero_of_powers(double a, double p, double b, double q) {
  double z = std::min(-a / p, -b / q);
  for (int round = 0; round < kSeriesRounds; ++round) {
    const double first = std::exp(a + p * z), second = std::exp(b + q * z), sum = first + second;
    const double step = std::log(sum) * sum / (p * first + q * second);
    z -= step;
    if (std::abs(step) <= std::numeric_limits<double>::epsilon()) break;
  }
  return z;
}

}  // namespace

double PowerCurve::solved(double d) const {
  if (eta == 1) return d / (1 + f * k);
  const double stiff =
      std::min(f * k * std::pow(d, eta - 1), std::numeric_limits<double>::max());  // x = d z, z + stiff z^eta = 1
  return d * std::exp(zero_of_powers(0, 1, std::log(stiff), eta));
}

double PowerCurve::indentation(double energy) const {
  if (!(energy > 0)) return 0;
  const double alone = std::pow(energy * (eta + 1) / k, 1 / (eta + 1));
  if (!(f > 0)) return alone;
  // x = alone z: z^(eta + 1) + (f F(alone)^2 / 2 energy) z^(2 eta) = 1.
  const double F = local_force(alone);
  const double x = alone * std::exp(zero_of_powers(0, eta + 1, std::log(0.5 * f * F * F / energy), 2 * eta));
  return x + f * local_force(x);
}

}  // namespace carom::forces

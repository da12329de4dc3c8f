#include "carom/forces/power_law.h"

namespace carom::forces {

double PowerLaw::duration(double speed, double mass) const {
  // 2 d_max / v times the integral of dz / sqrt(1 - z^p) over [0, 1].
  constexpr double kRootPi = 1.7724538509055160273;
  const double p = eta + 1;
  const double integral = kRootPi * std::exp(std::lgamma(1 + 1 / p) - std::lgamma(0.5 + 1 / p));
  return 2 * integral * deepest(speed, mass) / speed;
}

}  // namespace carom::forces

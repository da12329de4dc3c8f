#pragma once

#include <algorithm>
#include <cmath>

namespace carom::forces {

/// k x^eta for x > 0, 0 for x <= 0, with what follows from it; x is the indentation d less what the bodies give way
/// under the force itself, f [m/N] in series:
///   F = k x^eta,   x + f F = d,   energy = F x / (eta + 1) + f F^2 / 2.
/// f = 0 is a contact of rigid bodies; eta = 1 a spring k / (1 + f k).
struct PowerCurve {
  double k = 1;      // [N/m^eta]
  double eta = 1.5;  // [-]
  double f = 0;      // [m/N]

  double force(double d) const { return local_force(local(d)); }
  double energy(double d) const {
    const double x = local(d), F = local_force(x);
    return F * x / (eta + 1) + 0.5 * f * F * F;
  }
  double slope(double d) const {
    const double s = local_slope(local(d));
    return s / (1 + f * s);
  }
  double stiffening(double d) const {  // of the slope, relative
    const double x = local(d), soft = 1 + f * local_slope(x);
    return x > 0 ? (eta - 1) / (x * soft * soft) : 0;
  }
  double indentation(double energy) const;

  /// x at the indentation d; d itself without flexibility.
  double local(double d) const { return f > 0 && d > 0 ? solved(d) : d; }

 private:
  double local_force(double x) const {
    if (x <= 0) return 0;
    return eta == 1.5 ? k * x * std::sqrt(x) : eta == 1 ? k * x : k * std::pow(x, eta);
  }
  double local_slope(double x) const { return x > 0 ? eta * local_force(x) / x : eta == 1 ? k : 0; }
  double solved(double d) const;
};

}  // namespace carom::forces

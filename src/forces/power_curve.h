#pragma once

#include <cmath>

namespace carom::forces {

/// k d^eta for d > 0, 0 for d <= 0, with what follows from it.
struct PowerCurve {
  double k = 1;      // [N/m^eta]
  double eta = 1.5;  // [-]

  double force(double d) const {
    if (d <= 0) return 0;
    return eta == 1.5 ? k * d * std::sqrt(d) : eta == 1 ? k * d : k * std::pow(d, eta);
  }
  double energy(double d) const { return force(d) * d / (eta + 1); }
  double slope(double d) const { return d > 0 ? eta * force(d) / d : eta == 1 ? k : 0; }
  double stiffening(double d) const { return d > 0 ? (eta - 1) / d : 0; }  // of the slope, relative
  double indentation(double energy) const { return energy > 0 ? std::pow(energy * (eta + 1) / k, 1 / (eta + 1)) : 0; }
};

}  // namespace carom::forces

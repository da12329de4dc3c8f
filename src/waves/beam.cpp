#include "carom/waves/beam.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "carom/base/error.h"

namespace carom::waves {

void validate(const Beam& beam) {
  for (const auto& [value, place] : {std::pair{beam.length, "length"}, std::pair{beam.mass, "mass"}})
    if (!std::isfinite(value) || !(value > 0))
      throw InputError(place, fmt::format("{} is not positive; it must be > 0 and finite", value));
  if (!(beam.e >= 0 && beam.e <= 1)) throw InputError("e", fmt::format("{} is not between 0 and 1", beam.e));
  if (beam.modes < 0 || beam.modes > kMostModes)
    throw InputError("modes", fmt::format("{} modes; expected a number from 0 to {}", beam.modes, kMostModes));
  if (!std::isfinite(4 * (beam.modes + 1) / beam.mass))
    throw InputError("mass", fmt::format("{} is so small that 1/mass is no number any more", beam.mass));
}

double mode_number(int k) {
  double z = (k + 0.5) * std::numbers::pi;
  for (int i = 0; i < 5; ++i) {  // Newton's method for cos z = 1/cosh z, which starts 0.018 away at most
    const double sech = 1 / std::cosh(std::min(z, 700.0));
    z -= (std::cos(z) - sech) / (-std::sin(z) + sech * std::tanh(z));
  }
  return z;
}

double mode_shape(int k, double s) {
  // cosh z s + cos z s - sigma (sinh z s + sin z s) in exponentials that do not overflow; from the nearer end
  if (s > 0.5) return (k % 2 == 1 ? 1 : -1) * mode_shape(k, 1 - s);
  const double z = mode_number(k), decay = std::exp(-z);
  const double across = 1 + decay * decay - 2 * decay * std::cos(z);  // 2 e^-z (cosh z - cos z)
  const double along = 1 - decay * decay - 2 * decay * std::sin(z);   // 2 e^-z (sinh z - sin z)
  const double sigma = across / along;
  const double less = 2 * (decay + std::sin(z) - std::cos(z)) / along;  // e^z (sigma - 1)
  return -0.5 * less * std::exp(z * (s - 1)) + 0.5 * (1 + sigma) * std::exp(-z * s) + std::cos(z * s) -
         sigma * std::sin(z * s);
}

BeamImpact hit(const Beam& beam, double x) {
  validate(beam);
  if (!(x >= 0 && x <= beam.length))
    throw InputError("x", fmt::format("{} is not on the beam, from 0 to {}", x, beam.length));
  const double s = x / beam.length, lever = s - 0.5;
  BeamImpact result{x, (1 + 12 * lever * lever) / beam.mass};
  for (int k = 1; k <= beam.modes; ++k) {
    const double phi = mode_shape(k, s);
    result.G_flexible += phi * phi / beam.mass;
  }
  result.e_rigid = (1 + beam.e) * result.G_rigid / (result.G_rigid + result.G_flexible) - 1;
  return result;
}

}  // namespace carom::waves

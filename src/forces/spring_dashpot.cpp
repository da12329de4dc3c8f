#include "carom/forces/spring_dashpot.h"

#include <fmt/format.h>

#include "carom/numerics/root.h"

namespace carom::forces {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// acos(z) / sqrt(1 - z^2), acosh(z) / sqrt(z^2 - 1) beyond 1: smooth, 1 at z = 1.
double angle_ratio(double z) {
  constexpr double kNear = 1e-4;
  const double x = 1 - z;
  if (std::abs(x) < kNear) return 1 + x / 3 + 2 * x * x / 15 + 2 * x * x * x / 35;
  return z < 1 ? std::acos(z) / std::sqrt(1 - z * z) : std::acosh(z) / std::sqrt(z * z - 1);
}

double restitution_at(double z, SpringDashpot::End end) {
  if (end == SpringDashpot::End::force) return std::exp(-2 * z * angle_ratio(z));
  return z < 1 ? std::exp(-kPi * z / std::sqrt(1 - z * z)) : 0;
}

double damping_ratio(double e, SpringDashpot::End end) {
  if (e >= 1) return 0;
  if (end == SpringDashpot::End::indentation) return -std::log(e) / std::hypot(kPi, std::log(e));
  const auto f = [e](double z) { return 2 * z * angle_ratio(z) + std::log(e); };
  return numerics::bracketed_zero(f, 0.0, 1 / std::sqrt(e) + 1);
}

}  // namespace

double SpringDashpot::damper(double speed, double mass) const {
  return c ? *c : 2 * damping_ratio(*asked(speed, mass), end) * std::sqrt(k * mass);
}

double SpringDashpot::restitution(double speed, double mass) const {
  return restitution_at(damper(speed, mass) / (2 * std::sqrt(k * mass)), end);
}

std::optional<Fault> SpringDashpot::fault(double mass) const {
  if (c) {
    const double critical = 2 * std::sqrt(k * mass);
    if (end == End::indentation && *c >= critical)
      return Fault{"c", fmt::format("{} is not below 2 sqrt(k m) = {}; with end = indentation the contact would never "
                                    "open: use less damping, or end = force",
                                    *c, critical)};
    return std::nullopt;
  }
  if (e_of != nullptr || (e > 0 && e <= 1)) return std::nullopt;
  if (e == 0)
    return Fault{"e", end == End::force ? "0 needs infinite damping; spring-dashpot takes e in (0, 1], or the damping c"
                                        : "0 needs critical damping, with which a contact never opens; spring-dashpot "
                                          "takes e in (0, 1], or the damping c"};
  return Fault{"e", fmt::format("{} is outside (0, 1]; spring-dashpot turns e in (0, 1] into damping", e)};
}

}  // namespace carom::forces

#pragma once

#include "carom/forces/normal_force.h"
#include "carom/forces/power_curve.h"

namespace carom::forces {

/// F = k d^eta, without loss; Hertz for eta = 1.5, a spring for eta = 1; in series with what the bodies give way. With
/// the reduced mass m and the speed v
///   d_max = ((eta + 1) m v^2 / 2 k)^(1/(eta + 1)),   duration = 2 sqrt(pi) Gamma(1 + 1/p) / Gamma(1/2 + 1/p) d_max /
///   v,
/// p = eta + 1. Depends on the shape near the contact only: Hertz needs smooth elastic bodies.     [Gilardi, Sharf
/// 2002, (25)]
struct PowerLaw {
  static constexpr std::string_view name = "power";
  static constexpr std::string_view summary = "k d^eta, no loss; eta = 1.5 is Hertz";
  static constexpr std::string_view source = "Gilardi & Sharf 2002, (25)";
  static constexpr bool remembers = false;

  double k = 1, eta = 1.5, flexibility = 0;

  PowerLaw() = default;
  explicit PowerLaw(const Contact& contact) : k(contact.k), eta(contact.eta), flexibility(contact.flexibility) {}

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("k", self.k, "stiffness [N/m^eta], > 0");
    visit("eta", self.eta, "exponent, > 0");
    visit("flexibility", self.flexibility, "of the bodies, in series with the contact [m/N], >= 0");
  }

  PowerCurve curve() const { return {k, eta, flexibility}; }
  double law(double d, double /*rate*/, const Memory&) const { return curve().force(d); }
  double reserve(double, double, const Memory&) const { return 1; }
  double stored(double d, const Memory&) const { return curve().energy(d); }
  double elastic(double d, const Memory&) const { return curve().force(d); }
  double indentation(double energy) const { return curve().indentation(energy); }
  double stiffness(double d, const Memory&) const { return curve().slope(d); }
  double stiffening(double d, const Memory&) const { return curve().stiffening(d); }
  double slope(double d, double /*rate*/, const Memory&) const { return curve().slope(d); }
  double damping(double, const Memory&) const { return 0; }
  Memory touch(double speed, double /*mass*/) const { return {.v0 = speed}; }
  Memory turn(double, const Memory& memory) const { return memory; }
  double floor(const Memory&) const { return 0; }
  bool may_pull() const { return false; }
  bool needs_speed() const { return false; }
  std::optional<double> asked(double /*speed*/, double /*mass*/) const { return std::nullopt; }
  double restitution(double, double) const { return 1; }
  std::optional<Fault> fault(double) const { return std::nullopt; }

  /// Of an impact of one contact at this speed with this reduced mass; the duration without flexibility.
  double deepest(double speed, double mass) const { return curve().indentation(0.5 * mass * speed * speed); }  // [m]
  double duration(double speed, double mass) const;                                                            // [s]
};

}  // namespace carom::forces

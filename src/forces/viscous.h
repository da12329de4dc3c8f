#pragma once

#include "carom/forces/normal_force.h"
#include "carom/forces/power_curve.h"

namespace carom::forces {

/// The restitution of F = k d^n (1 + D d'/v0) at the speed v0, the same for every n, k and mass:
///   D (1 + e) = ln((1 + D) / (1 - e D)),   e in [0, 1] falls from 1 at D = 0 like 1/D.
double restitution_of_ratio(double D);

/// The D > 0 that gives e in (0, 1]; 0 for e = 1. There is none for e = 0.
double ratio_of_restitution(double e);

std::optional<Fault> fault_of_restitution(double e, std::string_view force);

/// Forces F = k d^eta (1 + D d'/v0) that never pull, with D = Own::ratio(e), or F = k d^eta + c d^eta d' where c is
/// given; e is then not read. `Memory::damping` is D / v0 = c / k. Where bodies give way, the force of both in series
/// stands for k d^eta: e does not depend on how force and indentation belong together.
template <class Own>
struct Viscous {
  static constexpr bool remembers = false;

  double k = 1, eta = 1.5, e = 1, flexibility = 0;
  std::optional<double> c = {};
  const RestitutionFunction* e_of = nullptr;

  Viscous() = default;
  explicit Viscous(const Contact& contact)
      : k(contact.k),
        eta(contact.eta),
        e(contact.e),
        flexibility(contact.flexibility),
        c(contact.c),
        e_of(contact.e_of.get()) {}

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("k", self.k, "stiffness [N/m^eta], > 0");
    visit("eta", self.eta, "exponent, > 0");
    visit("e", self.e, "restitution asked for, in [0, 1]");
    visit("c", self.c, "damping of d^eta d' [N s/m^(eta+1)], instead of e");
    visit("flexibility", self.flexibility, "of the bodies, in series with the contact [m/N], >= 0");
  }

  PowerCurve curve() const { return {k, eta, flexibility}; }
  double law(double d, double rate, const Memory& memory) const {
    return curve().force(d) * (1 + memory.damping * rate);
  }
  double reserve(double /*d*/, double rate, const Memory& memory) const { return 1 + memory.damping * rate; }
  double stored(double d, const Memory&) const { return curve().energy(d); }
  double elastic(double d, const Memory&) const { return curve().force(d); }
  double indentation(double energy) const { return curve().indentation(energy); }
  double stiffness(double d, const Memory&) const { return curve().slope(d); }
  double stiffening(double d, const Memory&) const { return curve().stiffening(d); }
  double slope(double d, double rate, const Memory& memory) const {
    return curve().slope(d) * (1 + memory.damping * rate);
  }
  double damping(double d, const Memory& memory) const { return curve().force(d) * memory.damping; }
  Memory touch(double speed, double mass) const {
    return {.v0 = speed, .damping = c ? *c / k : Own::ratio(e_at(speed, mass)) / speed};
  }
  Memory turn(double, const Memory& memory) const { return memory; }
  double floor(const Memory&) const { return 0; }
  bool may_pull() const { return false; }
  bool needs_speed() const { return !c; }
  std::optional<double> asked(double speed, double mass) const {
    return c ? std::nullopt : std::optional(e_at(speed, mass));
  }
  double restitution(double speed, double mass) const { return restitution_of_ratio(ratio_at(speed, mass)); }
  std::optional<Fault> fault(double) const {
    return c || e_of ? std::nullopt : Own::needs_positive_e && e == 0 ? zero() : fault_of_restitution(e, Own::name);
  }

  /// D at this speed.
  double ratio_at(double speed, double mass) const { return c ? *c / k * speed : Own::ratio(e_at(speed, mass)); }

 private:
  double e_at(double speed, double mass) const {
    return asked_restitution(e, e_of, speed, mass, Own::needs_positive_e ? kLeastAsked : 0);
  }
  static std::optional<Fault> zero() {
    return Fault{"e", std::string("0 needs infinite damping; ") + std::string(Own::name) +
                          " takes e in (0, 1], or the damping c"};
  }
};

}  // namespace carom::forces

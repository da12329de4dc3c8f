#pragma once

#include "carom/forces/dented_curve.h"
#include "carom/forces/normal_force.h"

namespace carom::forces {

/// Hertz with hysteresis: loading k d^eta, unloading F_max ((d - d_p) / (d_max - d_p))^eta down to the dent
/// d_p = (1 - e^2) d_max, so that e does not depend on eta, mass or speed; reloading along the same curve to d_max,
/// then on along k d^eta. e in [0, 1]: for e = 0 the force vanishes where loading ends. What contacts meant to yield at
/// some load need, another dent for weak impacts, it has not.                                 [Gilardi, Sharf 2002,
/// (26)]
struct Hysteretic {
  static constexpr std::string_view name = "hysteretic";
  static constexpr std::string_view summary =
      "loads along k d^eta, unloads steeper and leaves a dent; returns exactly e";
  static constexpr std::string_view source = "Gilardi & Sharf 2002, (26)";
  static constexpr bool remembers = true;

  double k = 1, eta = 1.5, e = 1;

  Hysteretic() = default;
  explicit Hysteretic(const Contact& contact);

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("k", self.k, "stiffness [N/m^eta], > 0");
    visit("eta", self.eta, "exponent, > 0");
    visit("e", self.e, "restitution, in [0, 1]");
  }

  DentedCurve curve() const { return {{k, eta}, e}; }
  double law(double d, double /*rate*/, const Memory& memory) const { return curve().force(d, memory); }
  double reserve(double, double, const Memory&) const { return 1; }
  double stored(double d, const Memory& memory) const { return curve().stored(d, memory); }
  double elastic(double d, const Memory& memory) const { return curve().force(d, memory); }
  double indentation(double energy) const { return curve().loading.indentation(energy); }
  double stiffness(double d, const Memory& memory) const { return curve().slope(d, memory); }
  double stiffening(double d, const Memory& memory) const { return curve().stiffening(d, memory); }
  double slope(double d, double /*rate*/, const Memory& memory) const { return curve().slope(d, memory); }
  double damping(double, const Memory&) const { return 0; }
  Memory touch(double speed, double /*mass*/) const { return {.v0 = speed}; }
  Memory turn(double d, const Memory& memory) const { return curve().turn(d, memory); }
  double floor(const Memory& memory) const { return memory.d_p; }
  bool may_pull() const { return false; }
  bool needs_speed() const { return false; }
  std::optional<double> asked() const { return e; }
  double restitution(double, double) const { return e; }
  std::optional<Fault> fault(double mass) const;
};

}  // namespace carom::forces

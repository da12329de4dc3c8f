#pragma once

#include "carom/forces/dented_curve.h"
#include "carom/forces/normal_force.h"

namespace carom::forces {

/// Two stiffnesses: loading k d, unloading and reloading (k / e^2) (d - d_p), d_p = (1 - e^2) d_max. e in [0, 1] does
/// not depend on mass or speed; eta is not read.                                                 [Walton, Braun 1986]
struct BiStiffness {
  static constexpr std::string_view name = "bi-stiffness";
  static constexpr std::string_view summary =
      "loads along k d, unloads along (k / e^2) (d - d_p), linear; returns exactly e";
  static constexpr std::string_view source = "Walton & Braun 1986";
  static constexpr bool remembers = true;

  static constexpr double eta = 1;
  double k = 1, e = 1;

  BiStiffness() = default;
  explicit BiStiffness(const Contact& contact);

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("k", self.k, "stiffness of loading [N/m], > 0");
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

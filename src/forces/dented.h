#pragma once

#include <cmath>

#include "carom/forces/dented_curve.h"
#include "carom/forces/normal_force.h"

namespace carom::forces {

std::optional<Fault> fault_of_restitution(double e, std::string_view force);

/// Forces that leave a dent: Own has `e` and `curve()`, a DentedCurve, which says all the rest. They have no damping,
/// and return e whatever the mass and the speed, unless `e_of` says otherwise.
template <class Own>
struct Dented {
  static constexpr bool remembers = true;

  double law(double d, double /*rate*/, const Memory& memory) const { return curve().force(d, memory); }
  double reserve(double, double, const Memory&) const { return 1; }
  double stored(double d, const Memory& memory) const { return curve(d, memory).stored(d, memory); }
  double elastic(double d, const Memory& memory) const { return curve().force(d, memory); }
  double indentation(double energy) const { return curve().loading.indentation(energy); }
  double stiffness(double d, const Memory& memory) const { return curve().slope(d, memory); }
  double stiffening(double d, const Memory& memory) const { return curve().stiffening(d, memory); }
  double slope(double d, double /*rate*/, const Memory& memory) const { return curve().slope(d, memory); }
  double damping(double, const Memory&) const { return 0; }
  Memory touch(double speed, double /*mass*/) const { return {.v0 = speed}; }
  Memory turn(double d, const Memory& memory) const { return curve(d, memory).turn(d, memory); }
  double floor(const Memory& memory) const { return memory.d_p; }
  bool may_pull() const { return false; }
  bool needs_speed() const { return false; }
  std::optional<double> asked(double speed, double mass) const { return restitution(speed, mass); }
  double restitution(double speed, double mass) const { return asked_restitution(own().e, own().e_of, speed, mass); }
  std::optional<Fault> fault(double /*mass*/) const { return fault_of_restitution(own().e, Own::name); }

 private:
  const Own& own() const { return static_cast<const Own&>(*this); }
  DentedCurve curve() const { return own().curve(); }
  /// With the e of the present loading, at the work that it has taken down to d.
  DentedCurve curve(double d, const Memory& memory) const {
    DentedCurve result = own().curve();
    if (own().e_of == nullptr) return result;
    result.e = memory.loading ? own().e_of->at(memory.v0, result.loading.energy(d))
                              : std::sqrt(std::max(0.0, 1 - memory.d_p / memory.d_max));
    return result;
  }
};

}  // namespace carom::forces

#pragma once

#include <cmath>

#include "carom/forces/friction_force.h"

namespace carom::forces {

/// T = -mu F_n v / sqrt(v^2 + v_s^2): smooth, never sticks, creeps below v_s. mu_s is not read.
struct Regularised {
  static constexpr std::string_view name = "regularised";
  static constexpr std::string_view summary = "-mu F_n v / sqrt(v^2 + v_s^2), a smooth Coulomb that creeps";
  static constexpr std::string_view source = "Coulomb, smoothed";
  static constexpr FrictionKind kind = FrictionKind::smooth;

  double mu = 0, mu_s = 0;
  double v_s = 0;

  Regularised() = default;
  explicit Regularised(const Contact& contact);

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("mu", self.mu, "friction of what slips, >= 0");
    visit("mu_s", self.mu_s, "friction of what sticks, >= mu");
    visit("v_s", self.v_s, "speed below which it creeps [m/s], > 0");
  }

  double share(double speed) const { return 1 / std::hypot(speed, v_s); }
  std::optional<Fault> fault() const;
};

}  // namespace carom::forces

#pragma once

#include <cmath>

#include "carom/forces/friction_force.h"

namespace carom::forces {

/// Coulomb friction: T = -mu F_n v / |v| while it slips; while it sticks, what holds it, up to mu_s F_n.
struct Coulomb {
  static constexpr std::string_view name = "coulomb";
  static constexpr std::string_view summary = "sticks up to mu_s F_n, slides against mu F_n; both located";
  static constexpr std::string_view source = "Coulomb";
  static constexpr FrictionKind kind = FrictionKind::holding;

  double mu = 0, mu_s = 0;

  Coulomb() = default;
  explicit Coulomb(const Contact& contact);

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("mu", self.mu, "friction of what slips, >= 0");
    visit("mu_s", self.mu_s, "friction of what sticks, >= mu");
  }

  std::optional<Fault> fault() const;
};

}  // namespace carom::forces

#pragma once

#include <cmath>

#include "carom/forces/friction_force.h"

namespace carom::forces {

/// A tangential spring with k_t = 2 (1 - nu) / (2 - nu) k_n, k_n the stiffness of the normal force now, in rate form:
///   T' = -k_t v while k_t grows,   T' = -k_t v + T k_t'/k_t while it falls,   cut at |T| = mu F_n,
/// because T = -k_t s with a k_t that changes creates energy.                       [Mindlin 1949, in rate form]
struct Mindlin {
  static constexpr std::string_view name = "mindlin";
  static constexpr std::string_view summary =
      "a tangential spring as stiff as 2 (1 - nu) / (2 - nu) times the normal one, cut at mu F_n";
  static constexpr std::string_view source = "Mindlin 1949, in rate form";
  static constexpr FrictionKind kind = FrictionKind::elastic;

  double mu = 0, mu_s = 0;
  double nu = 0.3;

  Mindlin() = default;
  explicit Mindlin(const Contact& contact);

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("mu", self.mu, "friction of what slips, >= 0");
    visit("mu_s", self.mu_s, "friction of what sticks, >= mu");
    visit("nu", self.nu, "Poisson's ratio, in [0, 0.5]");
  }

  double stiffness(double k_n) const { return 2 * (1 - nu) / (2 - nu) * k_n; }
  double scaling(double growth) const { return growth < 0 ? growth : 0; }
  std::optional<Fault> fault() const;
};

}  // namespace carom::forces

#pragma once

#include <cmath>

#include "carom/forces/friction_force.h"

namespace carom::forces {

/// A tangential spring of constant stiffness: T' = -k_t v, cut at |T| = mu F_n, where it slips and the stretch stays; T
/// = 0 at each touch. Sticks up to mu_s F_n.                                            [Gilardi, Sharf 2002,
/// (29)-(30)]
struct Bristle {
  static constexpr std::string_view name = "bristle";
  static constexpr std::string_view summary = "a tangential spring k_t that is cut at mu F_n";
  static constexpr std::string_view source = "Gilardi & Sharf 2002, (29)-(30)";
  static constexpr FrictionKind kind = FrictionKind::elastic;

  double mu = 0, mu_s = 0;
  double k_t = 0;

  Bristle() = default;
  explicit Bristle(const Contact& contact);

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("mu", self.mu, "friction of what slips, >= 0");
    visit("mu_s", self.mu_s, "friction of what sticks, >= mu");
    visit("k_t", self.k_t, "tangential stiffness [N/m], > 0");
  }

  double stiffness(double /*k_n*/) const { return k_t; }
  double scaling(double /*growth*/) const { return 0; }
  std::optional<Fault> fault() const;
};

}  // namespace carom::forces

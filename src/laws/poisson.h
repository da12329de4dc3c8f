#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// Poisson's law in two phases, all contacts at once:
///   compression  0 <= gamma_c _|_ Lambda_c >= 0,   expansion  0 <= gamma+ _|_ Lambda_e - e Lambda_c >= 0,
///   Lambda = Lambda_c + Lambda_e.
/// e [-] kinetic, in [0, 1], one per contact. Never creates energy without friction and moving walls. Redundant
/// contacts with unequal e: Lambda_c, and with it u+, may be non-unique, and the u+ of least kinetic energy is
/// returned. mu [-] Coulomb friction in each phase, between its Lambda_T and gamma_T at its end, where a contact has
/// tangents; what sticks at its end holds up to mu_s. mu_2: along the second tangent.
///                                                                                [Glocker 2001, (3.3)-(3.4)]
struct Poisson {
  static constexpr std::string_view name = "poisson";
  static constexpr std::string_view summary = "a contact returns at least e times the impulse of its compression";
  static constexpr std::string_view source = "Glocker 2001, (2.31)-(2.32), (3.3)-(3.4)";
  static constexpr std::string_view limits =
      "redundant contacts with unequal e: u+ of least kinetic energy out of many; with friction it may create energy";
  static constexpr std::array<std::string_view, 4> reads = {"e", "mu", "mu_s", "mu_2"};

  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}

  Impulses impulses(const ContactProblem& problem) const;

 private:
  Impulses frictional_impulses(const ContactProblem& problem) const;
};

}  // namespace carom

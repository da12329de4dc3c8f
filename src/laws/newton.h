#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// Newton's law in inequality form, all contacts at once:
///   0 <= gamma+ + e gamma-  _|_  Lambda >= 0.
/// e [-] kinematic, in [0, 1], one per contact; or Fremond's matrix, gamma+ + matrix gamma-, whose off-diagonal entries
/// carry an impact from one contact to another. u+ is unique; redundant contacts leave the impulses open and those of
/// least kinetic norm are returned. Creates energy only if a contact opens beforehand (gamma- > 0) and the e differ;
/// then such a contact may also end penetrating. Redundant contacts with unequal e can have no solution.
/// mu [-] Coulomb friction between Lambda_T and gamma_T+, where a contact has tangents; what sticks afterwards holds up
/// to mu_s, and of several outcomes that is taken in which all stick that can. mu_2: along the second tangent.
///                                                                  [Glocker 2001, (2.30), (3.2); matrix: (3.9)]
struct Newton {
  static constexpr std::string_view name = "newton";
  static constexpr std::string_view summary =
      "the gap velocity is reversed, times e; an impulse-free contact may do more";
  static constexpr std::string_view source = "Glocker 2001, (2.30), (3.2), (3.9)";
  static constexpr std::string_view limits =
      "unequal e with a contact opening beforehand: may create energy and penetrate; redundant: may have no solution";
  static constexpr std::array<std::string_view, 4> reads = {"e", "mu", "mu_s", "mu_2"};

  Matrix matrix;  // (m x m) replaces diag(e); empty = not used

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("matrix", self.matrix, "Fremond's matrix eps_ij (m x m), in place of the contacts' e");
  }

  Newton renumbered(const ContactOrder& order) const;

  Impulses impulses(const ContactProblem& problem) const;
};

}  // namespace carom

#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// Kane and Levinson: Coulomb's law between the impulses and the slip after the impact,
///   c_n+ = -e c_n-,   c_t+ = 0 and |P_t| <= mu P_n,   or   P_t = -mu P_n c_t+ / |c_t+|.
/// e [-] kinematic, in [0, 1]; mu [-] >= 0. A solution always exists (but for a contact that joints and moving walls
/// wedge). What happened on the way does not count: where slip reverses, energy may be created. One closing contact.
/// `moment` adds moment impulses (see tangential-restitution).
///                                                 [Kane, Levinson 1985; Gilardi, Sharf 2002, 1.2.1, (15), (16)]
struct KaneLevinson {
  static constexpr std::string_view name = "kane-levinson";
  static constexpr std::string_view summary = "friction acts against the slip after the impact, or holds the contact";
  static constexpr std::string_view source = "Kane & Levinson 1985; Gilardi & Sharf 2002, 1.2.1";
  static constexpr std::string_view limits = "one closing contact; may create energy where slip reverses";
  static constexpr std::array<std::string_view, 2> reads = {"e", "mu"};

  Vector moment = {};             // (k)
  Matrix moment_directions = {};  // (k x n)

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("moment", self.moment, "rotational restitution e_m, one a direction, in [-1, 1]; left out: no moments");
    visit("moment_directions", self.moment_directions, "the rotations D u that moments reverse, a row each");
  }

  Impulses impulses(const ContactProblem& problem) const;
};

}  // namespace carom

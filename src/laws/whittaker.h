#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// Whittaker: friction acts against the slip before the impact all the way through,
///   c_n+ = -e c_n-,   P_t = -mu t- P_n,   t- = c_t- / |c_t-|;
/// without slip before the impact it is what holds the contact, or in the direction in which it starts to slip.
/// e [-] kinematic, in [0, 1]; mu [-] >= 0. Slip that stops on the way is pushed on backwards: right only while it does
/// not. May then create energy. No solution where friction presses the bodies together, mu t-.B_tn >= B_nn. One closing
/// contact. `moment` adds moment impulses (see tangential-restitution).
///                                                       [Whittaker 1904; Gilardi, Sharf 2002, 1.2.1, (15), (16)]
struct Whittaker {
  static constexpr std::string_view name = "whittaker";
  static constexpr std::string_view summary =
      "friction acts against the slip before the impact, whatever becomes of it";
  static constexpr std::string_view source = "Whittaker 1904; Gilardi & Sharf 2002, 1.2.1";
  static constexpr std::string_view limits = "one closing contact; wrong, and may create energy, where slip stops";
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

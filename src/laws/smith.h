#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// Smith: friction acts against a mean of the slip before and after the impact, each weighted by its size,
///   c_n+ = -e c_n-,   P_t = -mu P_n (|v| v + |w| w) / (v^2 + w^2),   v = c_t-,  w = c_t+.
/// e [-] kinematic, in [0, 1]; mu [-] >= 0. Without slip before the impact it is Kane and Levinson's law. A solution
/// always exists; in the plane all are found, and of several the one whose impulse ratio is next to sliding on is
/// returned and said not to be unique. May create energy. One closing contact. `moment` adds moment impulses (see
/// tangential-restitution), which change w but not v.
///                                                       [Smith 1991; Gilardi, Sharf 2002, 1.2.1, 2.2, (15), (16)]
struct Smith {
  static constexpr std::string_view name = "smith";
  static constexpr std::string_view summary = "friction acts against a mean of the slip before and after the impact";
  static constexpr std::string_view source = "Smith 1991; Gilardi & Sharf 2002, 2.2";
  static constexpr std::string_view limits = "one closing contact; may create energy; several solutions are possible";
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

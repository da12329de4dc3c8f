#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// Brach: a constant ratio of the impulses,
///   c_n+ = -e c_n-,   P_t = -mu t- P_n,   t- = c_t- / |c_t-|,
/// mu [-] >= 0 the impulse ratio, which need not be Coulomb's coefficient. Unless `capped` is false it is at most the
/// critical ratio, at which the slip along t- has just stopped in the end, and 0 where that slip stops and reverses
/// without friction. Without slip before the impact the ratio is what holds the contact, at most mu.
/// e [-] kinematic, in [0, 1]. `moment` adds moment impulses (see tangential-restitution). May create energy: the
/// ratios that do not are an interval (carom plane). One closing contact.
///                                                            [Brach 1989; Gilardi, Sharf 2002, (14)-(16)]
struct Brach {
  static constexpr std::string_view name = "brach";
  static constexpr std::string_view summary =
      "a constant ratio mu of tangential to normal impulse, at most the critical one";
  static constexpr std::string_view source = "Brach 1989; Gilardi & Sharf 2002, (14)-(16)";
  static constexpr std::string_view limits = "one closing contact; may create energy where slip would reverse";
  static constexpr std::array<std::string_view, 2> reads = {"e", "mu"};

  bool capped = true;
  Vector moment;             // (k)
  Matrix moment_directions;  // (k x n)

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("capped", self.capped, "whether mu is at most the ratio that stops slip");
    visit("moment", self.moment, "rotational restitution e_m, one a direction, in [-1, 1]; left out: no moments");
    visit("moment_directions", self.moment_directions, "the rotations D u that moments reverse, a row each");
  }

  Impulses impulses(const ContactProblem& problem) const;
};

}  // namespace carom

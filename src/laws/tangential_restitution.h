#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// Restitution in every direction, at every closing contact:
///   gamma_N+ = -e gamma_N-,   gamma_T+ = -e_t gamma_T-.
/// e_t_2, where it is given, holds along the second tangent.
/// e [-] in [0, 1]; e_t [-] in [-1, 1]: -1 leaves the slip alone, 0 stops it, 1 reverses it. `moment` does the same for
/// rotations omega = D u, by moment impulses: omega+ = -e_m omega-, D = moment_directions. Contacts at rest or opening
/// get no impulse. Nothing is guaranteed: impulses may pull or leave any friction cone (mu is not read), energy may be
/// created, other contacts may penetrate; the certificate says. Redundant contacts: solved with the impulses of least
/// kinetic norm if their velocities are compatible, else no solution.    [Gilardi, Sharf 2002, (13); moments (5), (16)]
struct TangentialRestitution {
  static constexpr std::string_view name = "tangential-restitution";
  static constexpr std::string_view summary = "normal and tangential velocities are reversed, times e and e_t";
  static constexpr std::string_view source = "Gilardi & Sharf 2002, (5), (13), (16)";
  static constexpr std::string_view limits = "may pull, penetrate or create energy: read the certificate";
  static constexpr std::array<std::string_view, 3> reads = {"e", "e_t", "e_t_2"};

  Vector moment;             // (k)
  Matrix moment_directions;  // (k x n)

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("moment", self.moment, "rotational restitution e_m, one a direction, in [-1, 1]; left out: no moments");
    visit("moment_directions", self.moment_directions, "the rotations D u that moments reverse, a row each");
  }

  Impulses impulses(const ContactProblem& problem) const;
};

}  // namespace carom

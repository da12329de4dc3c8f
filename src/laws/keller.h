#pragma once

#include <array>

#include "carom/impact/law.h"
#include "carom/laws/one_contact/impact.h"

namespace carom {

/// Darboux and Keller: a contact with Coulomb friction, followed in its normal impulse P_n,
///   dc/dP_n = B (1, -mu t),  t = c_t / |c_t| while it slips;
/// where slip has stopped it sticks if |B_tt^-1 B_tn| <= mu_s, else it slips on in the only direction in which slip can
/// grow. Compression ends at c_n = 0 with the impulse P_c and the normal work W_c; restitution ends
///   newton   at  c_n = -e c_n-          poisson  at  P_n = (1 + e) P_c          stronge  at  W_r = -e^2 W_c - W_w.
/// e [-] in [0, 1], kinematic, kinetic or energetic; mu [-] >= 0, mu_2 along the second tangent; W_w [J] is lost to
/// waves. One tangent: exact, piece by piece; two: slip curves, to the tolerance; none, or mu = 0: frictionless.
/// Contacts that do not move each other are followed one by one. Those that do, and those at rest that the impact
/// presses, are followed together: the impulse of each grows in proportion to its force,
///   dLambda_i : dLambda_j = k_i s_i^eta_i : k_j s_j^eta_j,   s_i' = -c_n,i in compression,
/// and each ends by its own work (stronge) or impulse (poisson). Only ratios of k count.
/// Poisson with one contact and Stronge never create energy, Newton may. A contact that slips without closing and that
/// friction presses together has an impact too (tangential impact); of several, u+ is the limit of vanishing
/// disturbances, and not unique where one keeps others from starting. `moment` adds moment impulses (see
/// tangential-restitution), which act first and then hold the rotations.
///              [Keller 1986; Stronge 1990; Gilardi, Sharf 2002, (7)-(12), (17)-(22); Liu, Zhao, Brogliato 2008]
struct Keller {
  static constexpr std::string_view name = "keller";
  static constexpr std::string_view summary =
      "contacts with Coulomb friction, followed in their normal impulses through slip, stick and reversal";
  static constexpr std::string_view source = "Keller 1986; Gilardi & Sharf 2002, (7)-(12), (17)-(22)";
  static constexpr std::string_view limits =
      "may create energy: newton where slip stops or reverses (and contacts must not move each other), poisson of "
      "several; tangential impacts of several may leave open who starts";
  static constexpr std::array<std::string_view, 6> reads = {"e", "mu", "mu_s", "mu_2", "k", "eta"};

  one_contact::Restitution restitution = one_contact::Restitution::stronge;
  double wave_loss = 0;  // W_w
  double tolerance = 1e-9;
  Vector moment = {};             // (k)
  Matrix moment_directions = {};  // (k x n)

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("restitution", self.restitution, "what e relates: velocities (newton), impulses (poisson), work (stronge)");
    visit("wave_loss", self.wave_loss, "with stronge: energy of restitution that leaves as elastic waves [J], >= 0");
    visit("tolerance", self.tolerance, "relative error of u+ where it is not exact, from 1e-12 to 0.1");
    visit("moment", self.moment, "rotational restitution e_m, one a direction, in [-1, 1]; left out: no moments");
    visit("moment_directions", self.moment_directions, "the rotations D u that moments reverse, a row each");
  }

  Impulses impulses(const ContactProblem& problem, Path* path = nullptr) const;
};

}  // namespace carom

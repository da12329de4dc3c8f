#pragma once

#include <array>

#include "carom/forces/engine/contact_lists.h"
#include "carom/impact/law.h"

namespace carom {

/// Contacts with forces F(d, d') of their indentation, whose gaps count: a contact that opens has to close its gap
/// before it presses again. M u' = W lambda, d_j' = -gamma_j, lambda_j a normal force and a friction force of
/// `carom/forces/all.h`. Directions and masses stay as they are, so it holds as long as the bodies move little against
/// their size.
/// k [N/m^eta]; eta [-]; e [-] turned into damping at the approach speed of the contact's first touch, with the mass
/// 1 / (w' M^-1 w), where the force has damping; c, the damping itself, in the unit of the force; E0 [J]; mu, mu_s [-];
/// k_t [N/m] for bristles; flexibility [m/N] of the bodies, in series with the contact. Without friction the power
/// force keeps the energy and is followed as LZB is.
///                                             [Liu, Zhao, Brogliato 2008, Table 5; Gilardi, Sharf 2002, section 3]
struct Compliant {
  /// Words of the lists of forces, in their order.
  enum class Force {
    power,
    spring_dashpot,
    hunt_crossley,
    lankarani_nikravesh,
    lee_wang,
    exact,
    hysteretic,
    bi_stiffness
  };
  friend constexpr auto words_of(Force) { return forces::names<forces::Normal>(); }
  enum class Friction { coulomb, regularised, bristle, mindlin };
  friend constexpr auto words_of(Friction) { return forces::names<forces::Friction>(); }

  static constexpr std::string_view name = "compliant";
  static constexpr std::string_view summary =
      "contacts are springs and dampers, and a contact that opened has a gap to close";
  static constexpr std::string_view source = "Gilardi & Sharf 2002, section 3; Liu, Zhao & Brogliato 2008, Table 5";
  static constexpr std::string_view limits =
      "the power force has no damping and does not read e; others may return another e than asked for, and say so";
  static constexpr std::array<std::string_view, 9> reads = {"k",  "eta",  "e",   "c",          "E0",
                                                            "mu", "mu_s", "k_t", "flexibility"};

  Force force = Force::power;
  Friction friction = Friction::coulomb;
  forces::SpringDashpot::End end = forces::SpringDashpot::End::force;
  double v_s = 0;
  double nu = 0.3;
  Vector gaps = {};  // (m) [m] before the impact; empty = all contacts touch
  double tolerance = 1e-9;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("force", self.force, "normal force; carom force NAME shows one");
    visit("friction", self.friction, "friction force, where a contact has tangents and mu > 0");
    visit("end", self.end, "of spring-dashpot: force never pulls, indentation pulls until d = 0");
    visit("v_s", self.v_s, "of regularised: speed below which it creeps [m/s]");
    visit("nu", self.nu, "of mindlin: Poisson's ratio");
    visit("gaps", self.gaps, "how far each contact is from touching [m], >= 0; left out: all touch");
    visit("tolerance", self.tolerance, "relative error of u+, from 1e-12 to 0.1");
  }

  /// Fields of contacts that these parameters leave alone.
  bool ignores(std::string_view contact_field) const;

  /// The forces of contacts, of the kinds chosen here.
  forces::NormalList normal_forces(const std::vector<Contact>& contacts) const;
  forces::FrictionList friction_forces(const std::vector<Contact>& contacts) const;

  Impulses impulses(const ContactProblem& problem, Path* path = nullptr) const;
};

}  // namespace carom

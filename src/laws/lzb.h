#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// The law of Liu, Zhao and Brogliato: energy travels through the contacts as a wave while the bodies do not move.
///   M u' = W lambda,   lambda_j = k_j s_j^eta_j,   s_j' = -phi_j gamma_j,   s_j >= 0
/// s_j is the equivalent indentation, k_j s_j^(eta_j + 1) / (eta_j + 1) the energy in the contact. bi-stiffness:
/// phi_j = 1 in compression and 1 / e_j^2 in expansion. mono-stiffness: phi_j = 1, and a contact lets go when all but
/// e_j^2 of the energy it had at the end of its compression is spent. A contact that opens may close again at once.
/// e [-] energetic, in [0, 1]; k [N/m^eta]; eta [-]; E0 [J] energy in the contact at the beginning. Only ratios of k
/// count for u+. mu [-] Coulomb friction while the waves run, where a contact has tangents, mu_2 along the second; what
/// does not slip holds up to mu_s. Never creates energy beyond the tolerance. Solved in time to `tolerance`.     [Liu,
/// Zhao, Brogliato 2008, in time form]
struct Lzb {
  enum class Stiffness { bi, mono };
  friend constexpr std::array<std::string_view, 2> words_of(Stiffness) { return {"bi", "mono"}; }

  static constexpr std::string_view name = "lzb";
  static constexpr std::string_view summary =
      "energy runs through the contacts as a wave of compressions; a contact returns e^2 of what it took";
  static constexpr std::string_view source = "Liu, Zhao & Brogliato 2008, in time form";
  static constexpr std::string_view limits =
      "bodies do not move during the impact: a contact that opens has no gap to close again";
  static constexpr std::array<std::string_view, 7> reads = {"e", "k", "eta", "E0", "mu", "mu_s", "mu_2"};

  Stiffness stiffness = Stiffness::bi;
  double tolerance = 1e-9;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("stiffness", self.stiffness, "bi: stiffer in expansion; mono: the same curve, cut off");
    visit("tolerance", self.tolerance, "relative error of u+, from 1e-12 to 0.1");
  }

  Impulses impulses(const ContactProblem& problem, Path* path = nullptr) const;
};

}  // namespace carom

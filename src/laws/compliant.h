#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// Contacts as springs lambda_j = k_j s_j^eta_j whose gaps count: a contact that opens has to close its gap before it
/// presses again. The second-order counterpart of LZB with e = 1; equal to it until a contact closes again.
/// k [N/m^eta]; eta [-]; E0 [J]. The power force has no damping: e is not read. Keeps the energy. Directions and masses
/// stay as they are, so it holds as long as the bodies move little against their size.
///                                                                        [Liu, Zhao, Brogliato 2008, Table 5]
struct Compliant {
  enum class Force { power };
  friend constexpr std::array<std::string_view, 1> words_of(Force) { return {"power"}; }

  static constexpr std::string_view name = "compliant";
  static constexpr std::string_view summary =
      "contacts are springs k s^eta, and a contact that opened has a gap to close";
  static constexpr std::string_view source = "Liu, Zhao & Brogliato 2008, Table 5";
  static constexpr std::string_view limits = "the power force has no damping: e is not read and no energy is lost";
  static constexpr std::array<std::string_view, 3> reads = {"k", "eta", "E0"};

  Force force = Force::power;
  double tolerance = 1e-9;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("force", self.force, "power: k s^eta");
    visit("tolerance", self.tolerance, "relative error of u+, from 1e-12 to 0.1");
  }

  Impulses impulses(const ContactProblem& problem, Path* path = nullptr) const;
};

}  // namespace carom

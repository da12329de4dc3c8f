#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// Moreau's law, an impact with global dissipation index:
///   u+ = (1 + e) prox_T(u-) - e u-,   prox onto the tangent cone T = {W'u + drift >= 0} in the kinetic metric;
/// in the contacts  0 <= gamma+ + e gamma- _|_ Lambda >= 0  with one e for all.
/// e [-] in [0, 1]: 0 is maximal dissipation, 1 keeps the energy. Never creates energy without moving walls. Reaches
/// only a segment of the admissible velocities: a cradle's last ball never leaves alone.       [Glocker 2004,
/// (56)-(61)]
struct Moreau {
  static constexpr std::string_view name = "moreau";
  static constexpr std::string_view summary =
      "reflection at the tangent cone in the kinetic metric, one e for the whole impact";
  static constexpr std::string_view source = "Glocker 2004, (56)-(61)";
  static constexpr std::string_view limits = "reaches only one segment of the admissible velocities; no waves";
  static constexpr std::array<std::string_view, 1> reads = {"e"};

  std::optional<double> e;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("e", self.e, "global dissipation index [-], in [0, 1]; left out: the e that all contacts share");
  }

  Impulses impulses(const ContactProblem& problem) const;
};

}  // namespace carom

#pragma once

#include "carom/forces/viscous.h"

namespace carom::forces {

/// F = k d^eta (1 + D d'/v0), D = 3 (1 - e^2) / 4: from the energy lost at small losses; 0.847 for e = 0.8, 0.66 for 0.
/// [Lankarani, Nikravesh 1990; Gilardi, Sharf 2002, section 3.1.3]
struct LankaraniNikravesh : Viscous<LankaraniNikravesh> {
  static constexpr std::string_view name = "lankarani-nikravesh";
  static constexpr std::string_view summary = "k d^eta (1 + D d'/v0) with D = 3 (1 - e^2) / 4; returns more than e";
  static constexpr std::string_view source = "Lankarani & Nikravesh 1990; Gilardi & Sharf 2002, section 3.1.3";
  static constexpr bool needs_positive_e = false;

  using Viscous<LankaraniNikravesh>::Viscous;
  static double ratio(double e);
};

}  // namespace carom::forces

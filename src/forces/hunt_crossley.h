#pragma once

#include "carom/forces/viscous.h"

namespace carom::forces {

/// F = k d^eta (1 + D d'/v0), D = 3 (1 - e) / 2: right for small losses to first order, 0.833 for e = 0.8, 0.49 for 0.
/// [Hunt, Crossley 1975; Gilardi, Sharf 2002, (27)-(28)]
struct HuntCrossley : Viscous<HuntCrossley> {
  static constexpr std::string_view name = "hunt-crossley";
  static constexpr std::string_view summary = "k d^eta (1 + D d'/v0) with D = 3 (1 - e) / 2; returns more than e";
  static constexpr std::string_view source = "Hunt & Crossley 1975; Gilardi & Sharf 2002, (27)-(28)";
  static constexpr bool needs_positive_e = false;

  using Viscous<HuntCrossley>::Viscous;
  static double ratio(double e);
};

}  // namespace carom::forces

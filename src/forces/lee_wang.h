#pragma once

#include "carom/forces/viscous.h"

namespace carom::forces {

/// F = k d^eta (1 + D d'/v0), D = 3 (1 - e) / 4: half the damping of Hunt and Crossley; 0.909 for e = 0.8, 0.66 for 0.
/// [Lee, Wang 1983]
struct LeeWang : Viscous<LeeWang> {
  static constexpr std::string_view name = "lee-wang";
  static constexpr std::string_view summary = "k d^eta (1 + D d'/v0) with D = 3 (1 - e) / 4; returns more than e";
  static constexpr std::string_view source = "Lee & Wang 1983";
  static constexpr bool needs_positive_e = false;

  using Viscous<LeeWang>::Viscous;
  static double ratio(double e);
};

}  // namespace carom::forces

#pragma once

#include "carom/forces/viscous.h"

namespace carom::forces {

/// F = k d^eta (1 + D d'/v0) with the D that returns exactly e when the contact acts alone,
///   D (1 + e) = ln((1 + D) / (1 - e D)),
/// whatever eta, k and the mass. e in (0, 1]: e = 0 would need infinite damping.
struct Exact : Viscous<Exact> {
  static constexpr std::string_view name = "exact";
  static constexpr std::string_view summary = "k d^eta (1 + D d'/v0) with the D that returns exactly e";
  static constexpr std::string_view source = "D (1 + e) = ln((1 + D) / (1 - e D)), for every eta";
  static constexpr bool needs_positive_e = true;

  using Viscous<Exact>::Viscous;
  static double ratio(double e);
};

}  // namespace carom::forces

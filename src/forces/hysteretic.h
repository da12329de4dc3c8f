#pragma once

#include "carom/forces/dented.h"

namespace carom::forces {

/// Hertz with hysteresis: loading k d^eta, unloading F_max ((d - d_p) / (d_max - d_p))^eta down to the dent
/// d_p = (1 - e^2) d_max, so that e does not depend on eta, mass or speed; reloading along the same curve to d_max,
/// then on along k d^eta. e in [0, 1]: for e = 0 the force vanishes where loading ends. What contacts meant to yield at
/// some load need, another dent for weak impacts, it has not.                                 [Gilardi, Sharf 2002,
/// (26)]
struct Hysteretic : Dented<Hysteretic> {
  static constexpr std::string_view name = "hysteretic";
  static constexpr std::string_view summary =
      "loads along k d^eta, unloads steeper and leaves a dent; returns exactly e";
  static constexpr std::string_view source = "Gilardi & Sharf 2002, (26)";

  double k = 1, eta = 1.5, e = 1, flexibility = 0;
  const RestitutionFunction* e_of = nullptr;

  Hysteretic() = default;
  explicit Hysteretic(const Contact& contact);

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("k", self.k, "stiffness [N/m^eta], > 0");
    visit("eta", self.eta, "exponent, > 0");
    visit("e", self.e, "restitution, in [0, 1]");
    visit("flexibility", self.flexibility, "of the bodies, in series with the contact [m/N], >= 0");
  }

  DentedCurve curve() const { return {{k, eta, flexibility}, e}; }
};

}  // namespace carom::forces

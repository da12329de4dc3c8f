#pragma once

#include "carom/forces/dented.h"

namespace carom::forces {

/// Two stiffnesses: loading k d, unloading and reloading (k / e^2) (d - d_p), d_p = (1 - e^2) d_max. e in [0, 1] does
/// not depend on mass or speed; eta is not read; k is in series with what the bodies give way. [Walton, Braun 1986]
struct BiStiffness : Dented<BiStiffness> {
  static constexpr std::string_view name = "bi-stiffness";
  static constexpr std::string_view summary =
      "loads along k d, unloads along (k / e^2) (d - d_p), linear; returns exactly e";
  static constexpr std::string_view source = "Walton & Braun 1986";

  static constexpr double eta = 1;
  double k = 1, e = 1;
  const RestitutionFunction* e_of = nullptr;

  BiStiffness() = default;
  explicit BiStiffness(const Contact& contact);

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("k", self.k, "stiffness of loading [N/m], > 0");
    visit("e", self.e, "restitution, in [0, 1]");
  }

  DentedCurve curve() const { return {{k, eta, 0}, e}; }
};

}  // namespace carom::forces

#pragma once

#include <array>

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// The unknowns of one contact: x_N in `row`, its tangents in the rows after it.
struct FrictionCone {
  Index row = 0;
  int tangents = 0;  // 0, 1 or 2
  double mu = 0;
  double least = 0;               // lower bound of x_N, >= 0
  std::array<double, 2> slide{};  // if not zero, a unit direction: x_T = -mu x_N slide, whatever w_T is
  bool slides() const { return slide[0] != 0 || slide[1] != 0; }
};

}  // namespace carom::numerics

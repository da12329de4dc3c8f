#pragma once

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

enum class LcpStatus { solved, infeasible, iteration_limit };

struct LcpSolution {
  LcpStatus status = LcpStatus::iteration_limit;
  Vector x, w;
  bool unique = true;  // of x; w is always unique when A is symmetric
  int iterations = 0;  // linear solves
  Vector ray;          // if infeasible: d >= 0 with A d = 0 and q'd < 0, scaled to a largest entry of 1; may be empty
};

}  // namespace carom::numerics

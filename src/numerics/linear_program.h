#pragma once

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

enum class LinearProgramStatus { solved, infeasible, unbounded };

struct LinearProgramSolution {
  LinearProgramStatus status = LinearProgramStatus::infeasible;
  double value = 0;
  Vector x;
};

/// min c'x over A x = b, x >= 0, for few rows and any number of unknowns: the simplex method with Bland's rule, which
/// cannot cycle; each step solves with the dense basis anew.
LinearProgramSolution solve_linear_program(const Vector& c, const Matrix& A, const Vector& b);

}  // namespace carom::numerics

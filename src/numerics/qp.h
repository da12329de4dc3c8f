#pragma once

#include "carom/numerics/lcp.h"

namespace carom::numerics {

struct QpSolution {
  LcpStatus status = LcpStatus::iteration_limit;
  Vector v;
};

/// min 1/2 v'Hv + c'v  over  A v = b, v >= 0,  H symmetric positive semidefinite: the method of multipliers, each step
/// an LCP. Dense, for some hundred unknowns. `iteration_limit` if the constraints are not met, for example because they
/// cannot be.
QpSolution solve_qp(const Matrix& H, const Vector& c, const Matrix& A, const Vector& b);

/// The same from a v that satisfies the constraints, to rounding: an active set, one unknown leaving or entering it at
/// a time. For some ten unknowns. Returns the best v found where it does not settle.
Vector improve_qp(const Matrix& H, const Vector& c, const Matrix& A, Vector v);

}  // namespace carom::numerics

#pragma once

#include <vector>

#include "carom/numerics/friction_cone.h"

namespace carom::numerics {

/// Coulomb's problem (cone_problem.h) in one phase or in Poisson's two:
///   w1 = A x1 + q,          0 <= w1_N _|_ x1_N >= 0,             Coulomb's law between w1_T and x1_T
///   w2 = A (x1 + x2) + q,   0 <= w2_N _|_ x2_N - e x1_N >= 0,    Coulomb's law between w2_T and x2_T
struct ModeProblem {
  const SparseMatrix& A;
  const Vector& q;
  const Vector& terms;                     // (rows) size of the numbers that q was summed from
  const std::vector<FrictionCone>& cones;  // without `least`
  const Vector& slope;                     // (rows) energy 1/2 x'A x + slope'x, by which solutions are ordered
  Vector e;                                // (cones) of a second phase; empty: none
};

}  // namespace carom::numerics

#pragma once

#include <optional>

#include "carom/numerics/lcp_solution.h"

namespace carom::numerics {

/// Up to this many unknowns a tableau on the stack beats every factorization.
inline constexpr Index kSmallLcp = 16;
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kSmallLcp, kSmallLcp>;

/// The problem of solve_lcp for up to kSmallLcp unknowns by principal pivoting: w = A x + q is solved for the other of
/// each pair (x_i, w_i) whose sign is wrong, all such pairs at once, until none is left. Nothing if that does not
/// settle it: A is singular, x is not unique, the exchanges wander or rounding grows; then the general method decides.
std::optional<LcpSolution> solve_small_lcp(const Eigen::Ref<const Matrix>& A, const Vector& q,
                                           const Vector& terms = {});

}  // namespace carom::numerics

#pragma once

#include <functional>
#include <vector>

#include "carom/numerics/friction_cone.h"

namespace carom::numerics {

/// Coulomb's problem (cone_problem.h) by the way of other ones: a push s parts all contacts, w_N + s. With a large push
/// none carries; from there the solutions form a path of smooth pieces, one for each way in which the contacts carry,
/// stick and slip, that leads to s = 0 [Lemke's method for polyhedral cones]. It may turn back in s where a solution
/// ends, so it is followed by its length. The surest way, and a long one: at least one factorization a piece.
///
/// A has a diagonal of about one, q entries of at most about one. `finish` gets an x near the end of the path, ever
/// nearer, until it says that it got on from there. False: it never did, or the path was lost or too long.
bool trace_cone_path(const Matrix& A, const Vector& q, const std::vector<FrictionCone>& cones,
                     const std::function<bool(const Vector& x)>& finish);

}  // namespace carom::numerics

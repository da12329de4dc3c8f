#pragma once

#include "carom/impact/problem.h"

namespace carom::analysis {

/// The geometry of the normals in the kinetic metric, n_i = M^-1 w_i / sqrt(G_ii).   [Brogliato, Zhang, Liu 2012,
/// (7)-(10)]

/// Cosines A_ij = n_i'M n_j = G_ij / sqrt(G_ii G_jj) (m x m), unit diagonal; rows of contacts that joints hold fast are
/// zero but for it.
Matrix kinetic_cosines(const ContactProblem& problem);

/// Angles pi - acos(A_ij) [rad] (m x m) between the surfaces of the contacts, measured inside the admissible domain:
/// below pi/2 a wedge, above it a flat corner, pi on the diagonal.
Matrix kinetic_angles(const ContactProblem& problem);

/// Normal velocities in kinetic coordinates, q_norm,i = gamma_i / sqrt(G_ii) (m).
Vector kinetic_normal_velocities(const ContactProblem& problem, const Vector& gamma);

}  // namespace carom::analysis

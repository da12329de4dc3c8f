#pragma once

#include "carom/impact/law.h"
#include "carom/numerics/lcp.h"

namespace carom {

/// Solves  0 <= gamma+ + rebound _|_ Lambda >= 0  in the normals: what Newton's and Moreau's laws share.
Impulses impulses_of_rebound(const ContactProblem& problem, const NormalProblem& normal, Vector rebound,
                             std::string_view law);

/// The complementarity problem of the normals, w = G x + q; from the factors of G where masses differ so much that G
/// has lost their digits.
numerics::LcpSolution solve_normals(const ContactProblem& problem, const NormalProblem& normal, const Vector& q,
                                    const Vector& terms);

/// M^-1/2 times the normals, without their parts across the joints; zero where joints hold one fast.
Matrix normal_factors(const ContactProblem& problem);

}  // namespace carom

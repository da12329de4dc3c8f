#pragma once

#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"

namespace carom {

/// Judges an outcome whose velocities, impulses and energies are set; the same for every law.
/// gamma_bound, Lambda_bound (m) state the law's complementarity, an empty gamma_bound that it claims none, an empty
/// Lambda_bound 0; `friction` asks for Coulomb's cone, with `sticking` that of mu_s; `accuracy` is what the law was
/// asked for, 0 if it is exact.
struct Claims {
  const Vector& gamma_bound;
  const Vector& Lambda_bound;
  bool friction = false;
  bool sticking = false;
  double accuracy = 0;
};
Certificate certify(const ContactProblem& problem, const ImpactOutcome& outcome, const Claims& claims);

}  // namespace carom

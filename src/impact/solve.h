#pragma once

#include <chrono>
#include <utility>

#include "impact/law.h"
#include "impact/outcome.h"
#include "impact/problem.h"

namespace carom {

/// What `solve` needs to know of a law's type.
struct LawTraits {
  std::string_view name;
  bool friction = false;       // it reads mu: Coulomb's cone is part of it
  bool stored_energy = false;  // it reads E0
};

/// Velocities, energy ledger and certificate of given impulses.
ImpactOutcome judge(const ContactProblem& problem, const LawTraits& law, Impulses impulses);

/// Solves one impact under one law. Throws InputError; what the mathematics decides is in `status`.
template <Law L>
ImpactOutcome solve(const ImpactProblem& problem, const L& law) {
  const auto start = std::chrono::steady_clock::now();
  const ContactProblem reduced = reduce(problem);
  Impulses impulses = law.impulses(reduced);
  ImpactOutcome outcome = judge(reduced, {L::name, reads<L>("mu"), reads<L>("E0")}, std::move(impulses));
  outcome.cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace carom

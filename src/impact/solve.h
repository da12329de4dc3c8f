#pragma once

#include <chrono>
#include <utility>

#include "carom/impact/law.h"
#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"
#include "carom/impact/round_cones.h"

namespace carom {

/// What `solve` needs to know of a law's type.
struct LawTraits {
  std::string_view name;
  bool friction = false;       // it reads mu: Coulomb's cone is part of it
  bool sticking = false;       // it reads mu_s: the cone is as wide as that
  bool stored_energy = false;  // it reads E0
  bool restitution = false;    // it reads e
};

/// Velocities, energy ledger and certificate of given impulses. What the outcome keeps of its arguments moves into it.
ImpactOutcome judge(ContactProblem&& problem, const LawTraits& law, Impulses&& impulses);

/// Adds the velocities, the kinetic energy and the primary contact to the states of a path, and where the law took the
/// rest of the impact at once, the state at its end.
void complete(Path& path, const ContactProblem& problem, const Impulses& impulses);

/// Solves one impact under one law. Throws InputError; what the mathematics decides is in `status`. Where `path` is
/// given and the law follows the impact in time, it receives the history.
template <Law L>
ImpactOutcome solve(const ImpactProblem& problem, const L& law, Path* path = nullptr,
                    const SolveOptions& options = {}) {
  const auto start = std::chrono::steady_clock::now();
  constexpr LawTraits all{L::name, reads<L>("mu"), reads<L>("mu_s"), reads<L>("E0"), reads<L>("e")};
  constexpr bool two_coefficients = reads<L>("mu_2");
  LawTraits traits = all;
  if constexpr (requires { law.ignores("mu"); }) {
    traits.friction = all.friction && !law.ignores("mu");
    traits.sticking = all.sticking && !law.ignores("mu_s");
  }
  const std::optional<RoundCones> round = round_cones(problem, options, traits.friction, two_coefficients, L::name);
  ContactProblem reduced = round ? reduce(round->problem, round->options) : reduce(problem, options);
  const auto ask = [&](const ContactProblem& contacts) {
    if constexpr (LawWithPath<L>)
      return law.impulses(contacts, path);
    else
      return law.impulses(contacts);
  };
  Impulses impulses = ask(reduced);
  if (round) {
    round->restore(impulses, path);
    reduced = reduce(problem, options);
  }
  if (path != nullptr) complete(*path, reduced, impulses);
  ImpactOutcome outcome = judge(std::move(reduced), traits, std::move(impulses));
  outcome.cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace carom

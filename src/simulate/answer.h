#pragma once

#include <array>
#include <string_view>

#include "carom/laws/all.h"

namespace carom::simulate {

/// How an impact or a step of a run was answered, from the best to what is always there.
enum class Rung {
  asked,       // by the law, to the accuracy asked for
  best_found,  // by the law, but its equations are solved less accurately
  plastic,     // the law has no answer: every approach is stopped, with friction
  one_by_one,  // neither is there an accurate plastic answer: contact by contact, again and again
  crossed      // events piled up or forces could not be found: a short time step led across
};
constexpr std::array<std::string_view, 5> words_of(Rung) {
  return {"asked", "best-found", "plastic", "one-by-one", "crossed"};
}
std::string_view to_string(Rung rung);

struct Answer {
  ImpactOutcome outcome;
  Rung rung = Rung::asked;
  double residual =
      0;  // [-] how far it is from what was asked, relative to the velocities; 1 where another law answers
};

/// One impact or one time step of a run: the best answer there is, which always exists. `accuracy` is the relative
/// error of the velocities up to which it counts as what was asked for; `options` say how hard to try.
Answer answer(const ImpactProblem& problem, const ImpactLaw& law, double accuracy, const SolveOptions& options = {});

/// The same with every approach stopped and nothing thrown back.
Answer plastic_answer(ImpactProblem problem, double accuracy, const SolveOptions& options = {});

}  // namespace carom::simulate

namespace carom {
using simulate::Rung;
}  // namespace carom

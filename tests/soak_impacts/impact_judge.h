#pragma once

#include "impact_generator.h"

namespace carom::soak {

struct JudgedImpact {
  std::string status;   // of the outcome, or "refused"
  std::string fault;    // empty: none
  std::string message;  // of the outcome
  double seconds = 0;   // of processor time for the solve
  bool compared = false;
};

/// What is wrong with an answer, found by other means than its certificate's; empty: nothing.
std::string fault_of(const RandomImpact& impact, const ImpactOutcome& outcome);

/// Solves an impact and judges the answer. With `again`, also in another order
/// of contacts, mirrored and in other units: what is called unique must be the same.
JudgedImpact judge_impact(const RandomImpact& impact, bool again);

/// Of an answer to a tangential impact that is called unique: a slow approach of some of the contacts that rest, by
/// which it comes out otherwise. Empty: none was found.
std::string other_start(const RandomImpact& impact, const ImpactOutcome& outcome);

}  // namespace carom::soak

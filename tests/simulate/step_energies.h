#pragma once

#include <algorithm>
#include <limits>

#include "simulate/running.h"

namespace carom::testing {

inline bool arrived(const simulate::RunSummary& summary) {
  return summary.status == simulate::RunStatus::solved || summary.status == simulate::RunStatus::approximate;
}

/// The largest kinetic and potential energy at a recorded time, less what moving overlaps apart has added.
inline double highest_energy(const Played& played) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const simulate::Ledger& ledger : played.seen.ledger)
    highest = std::max(highest, ledger.kinetic + ledger.potential - ledger.correction - ledger.work);
  return highest;
}

}  // namespace carom::testing

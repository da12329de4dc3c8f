#pragma once

#include <optional>
#include <vector>

#include "carom/simulate/crowd/contact_sweeps.h"
#include "carom/simulate/crowd/crowd_islands.h"
#include "carom/simulate/crowd/crowd_order.h"
#include "carom/simulate/near_contacts.h"

namespace carom::simulate {

/// Moves the bodies of crowds apart; keeps its room.
class CrowdOverlaps {
 public:
  /// The least displacement, in the kinetic metric, that leaves no contact of an island deeper than `target` [m] of it
  /// (pairs): (velocities) over a unit of time. Nothing where sweeps do not find it to the relative `accuracy`.
  std::optional<Vector> displacement(const Model& model, const BodyFrames& frames,
                                     const std::vector<ContactPair>& pairs, const CrowdIsland& island,
                                     const Vector& target, double accuracy);

  CrowdIslands islands;

 private:
  SweptBodies bodies_;      // of the island
  SweptContacts swept_;     // the same
  std::vector<int> place_;  // (bodies) among them; -1: none
  CrowdOrdering ordering_;
  std::vector<OrderedContact> ordered_;
};

}  // namespace carom::simulate

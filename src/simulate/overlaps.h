#pragma once

#include "carom/model/impact_problem.h"
#include "carom/simulate/contact_search.h"
#include "carom/simulate/crowd/crowd_overlaps.h"
#include "carom/simulate/near_contacts.h"
#include "carom/simulate/scheme.h"

namespace carom::simulate {

/// Overlaps up to this, of the smaller body's size, are left alone.
constexpr double kOverlapSlop = 1e-3;

inline bool is_too_deep(double gap, double size) {
  return gap < -kOverlapSlop * size;
}

/// Moves bodies that overlap deeper than the slop apart, by the least displacement in the kinetic metric that joints
/// and the other contacts allow; velocities stay. Linear equations at the state as it is, so in several passes. To free
/// a ball wedged between others they would let it jump over them: no body moves far in a pass.
struct Parted {
  Vector q;
  double deepest = 0;  // [m] overlap that is left
};
Parted part_overlaps(const Model& model, const ContactRules& rules, const ContactSearch& search, NearContacts& near,
                     State state, const TimeStepping& scheme, CrowdOverlaps& overlaps, Crew& crew);

}  // namespace carom::simulate

#pragma once

#include "carom/model/impact_problem.h"
#include "carom/simulate/contact_search.h"
#include "carom/simulate/crowd/crowd_overlaps.h"
#include "carom/simulate/near_contacts.h"
#include "carom/simulate/scheme.h"

namespace carom::simulate {

/// Overlaps up to this, of the smaller body's size, are left alone in time steps.
constexpr double kOverlapSlop = 1e-3;

inline bool is_deeper(double gap, double slop, double size) {
  return gap < -slop * size;
}

/// Moves bodies that overlap deeper than the slop, of the smaller one's size, apart, by the least displacement in the
/// kinetic metric that joints and the other contacts allow; velocities stay. Linear equations at the state as it is, so
/// in several passes. To free a ball wedged between others they would let it jump over them: no body moves far in a
/// pass.
struct Parted {
  Vector q;
  double deepest = 0;  // [m] overlap that is left
};
Parted part_overlaps(const Model& model, const ContactRules& rules, const ContactSearch& search, NearContacts& near,
                     State state, double slop, const TimeStepping& scheme, CrowdOverlaps& overlaps, Crew& crew);

}  // namespace carom::simulate

#pragma once

#include "carom/forces/engine/contact_state.h"
#include "carom/forces/engine/turning.h"
#include "carom/simulate/archive.h"
#include "carom/simulate/contact_search.h"
#include "carom/simulate/observer.h"

namespace carom::simulate {

/// What a contact of located motion remembers of one resistance to turning.
struct TurningMemory {
  bool gives = false;
  double heading = 1;
  double paid = 0;                   // [J]
  Vector3 spring = Vector3::Zero();  // [N m]
};

/// A contact of located motion, from epoch to epoch.
struct LocatedContact {
  ContactPair pair;
  forces::ContactState state;
  Eigen::Matrix3Xd tangents;
  Vector3 spring = Vector3::Zero();  // tangential, or its direction while it slips
  TurningMemory rolling, torsion;
  ContactClosure closure;
  double work_before = 0, impulse_before = 0;  // of the closure, in epochs before this one
};

void archived(Archive& archive, TurningMemory& memory);
void archived(Archive& archive, LocatedContact& contact);

/// The pairs that may touch within a distance [m] from each other, with what was known of them, and contacts that are
/// none of these any more.
struct NearContacts {
  std::vector<LocatedContact> near, gone;
};
NearContacts near_contacts(const Model& model, const ContactSearch& search, const State& state, double distance,
                           std::vector<LocatedContact> known);

/// The mode that observers are told.
ContactMode mode_of(const forces::ContactState& state);

}  // namespace carom::simulate

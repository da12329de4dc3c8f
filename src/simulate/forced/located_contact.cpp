#include "carom/simulate/forced/located_contact.h"

#include <algorithm>

#include "carom/simulate/archived_values.h"
#include "carom/simulate/forced/archived_forces.h"

namespace carom::simulate {

NearContacts near_contacts(const Model& model, const ContactSearch& search, const State& state, double distance,
                           std::vector<LocatedContact> known) {
  constexpr double kSameSpot = 1e-3;  // of the smaller body: another meeting of the same places
  NearContacts result;
  for (const ContactPair& pair : search.touching(state, 0, distance)) {
    const double spot = kSameSpot * search.smaller_size(pair.parts);
    auto found =
        std::find_if(known.begin(), known.end(), [&](const LocatedContact& one) { return one.pair.same_as(pair); });
    if (found == known.end())
      found = std::find_if(known.begin(), known.end(),
                           [&](const LocatedContact& one) { return one.pair.coincides_with(pair, spot); });
    LocatedContact one;
    one.tangents = tangents_of(pair.point.normal, model.dimension());
    if (found != known.end()) {
      one = std::move(*found);
      known.erase(found);
    }
    one.pair = pair;
    result.near.push_back(std::move(one));
  }
  result.gone = std::move(known);
  return result;
}

void archived(Archive& archive, TurningMemory& memory) {
  archive& memory.gives& memory.heading& memory.paid& memory.spring;
}

void archived(Archive& archive, LocatedContact& contact) {
  archive& contact.pair& contact.state& contact.tangents& contact.spring& contact.rolling& contact.torsion;
  archive& contact.closure& contact.work_before& contact.impulse_before;
}

ContactMode mode_of(const forces::ContactState& state) {
  if (state.phase == forces::Phase::open || state.phase == forces::Phase::slack) return ContactMode::open;
  switch (state.mode) {
    case ContactMode::open:
      return ContactMode::closed;
    case ContactMode::stick:
      return ContactMode::stick;
    default:
      return ContactMode::slip;
  }
}

}  // namespace carom::simulate

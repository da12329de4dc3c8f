#include "carom/simulate/near_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::simulate {
namespace {

constexpr double kSkinOfSteps = 2;  // of the distance asked for

}  // namespace

std::vector<ContactPair> NearContacts::touching(const State& state, double margin, double distance) {
  if (then_.empty() || margin != margin_ || !(distance + moved(state) <= distance_)) {
    margin_ = margin;
    distance_ = (1 + kSkinOfSteps) * distance;
    pairs_ = search_.pairs_within(state, margin_, distance_);
    then_.clear();
    for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body)
      then_.push_back(model_.pose(body, state));
  }
  return search_.touching(state, pairs_, margin, distance);
}

/// [m] no point of a body has moved farther since then.
double NearContacts::moved(const State& state) const {
  double most = 0;
  for (std::size_t i = 0; i < then_.size(); ++i) {
    const Pose now = model_.pose(static_cast<int>(i), state);
    const double reach = search_.reach(static_cast<int>(i));
    const double turn = 2 * (then_[i].orientation.conjugate() * now.orientation).vec().norm();
    const double moved = (now.position - then_[i].position).norm();
    if (std::isfinite(reach))
      most = std::max(most, moved + reach * turn);
    else if (moved > 0 || turn > 0)
      return std::numeric_limits<double>::infinity();
  }
  return most;
}

}  // namespace carom::simulate

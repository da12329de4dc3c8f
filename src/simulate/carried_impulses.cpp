#include "carom/simulate/carried_impulses.h"

#include <algorithm>
#include <utility>

namespace carom::simulate {
namespace {

bool comes_before(const CarriedImpulse& a, const CarriedImpulse& b) {
  return a.parts < b.parts || (a.parts == b.parts && a.feature < b.feature);
}

}  // namespace

CarriedImpulses::CarriedImpulses(std::vector<CarriedImpulse> all) : all_(std::move(all)) {
  if (!std::is_sorted(all_.begin(), all_.end(), comes_before)) std::stable_sort(all_.begin(), all_.end(), comes_before);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (i + 1 == all_.size() || comes_before(all_[i], all_[i + 1])) all_[kept++] = all_[i];
  all_.resize(kept);
}

const Vector3* CarriedImpulses::find(const ContactPair& pair) const {
  const CarriedImpulse wanted{pair.parts, pair.point.feature};
  const auto found = std::lower_bound(all_.begin(), all_.end(), wanted, comes_before);
  return found != all_.end() && !comes_before(wanted, *found) ? &found->impulse : nullptr;
}

}  // namespace carom::simulate

#include "carom/simulate/carried_impulses.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace carom::simulate {
namespace {

constexpr int kNextOnes = 8;  // that are looked at one by one

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

void CarriedImpulses::find(const std::vector<ContactPair>& pairs, std::vector<const Vector3*>& found) const {
  found.clear();
  found.reserve(pairs.size());
  auto next = all_.begin();  // nothing before it comes at or after the last one looked for
  for (const ContactPair& pair : pairs) {
    const CarriedImpulse wanted{pair.parts, pair.point.feature};
    if (next != all_.begin() && !comes_before(*std::prev(next), wanted))
      next = std::lower_bound(all_.begin(), next, wanted, comes_before);
    for (int near = 0; near < kNextOnes && next != all_.end() && comes_before(*next, wanted); ++near) ++next;
    if (next != all_.end() && comes_before(*next, wanted))
      next = std::lower_bound(next, all_.end(), wanted, comes_before);
    found.push_back(next != all_.end() && !comes_before(wanted, *next) ? &next->impulse : nullptr);
  }
}

}  // namespace carom::simulate

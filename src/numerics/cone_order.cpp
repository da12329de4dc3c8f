#include "carom/numerics/cone_order.h"

#include <algorithm>
#include <tuple>

namespace carom::numerics {

std::vector<std::size_t> canonical_order(const Vector& diagonal, const Vector& q,
                                         const std::vector<FrictionCone>& cones) {
  using Key = std::tuple<double, double, double, double, double, std::size_t>;
  std::vector<Key> keys;
  keys.reserve(cones.size());
  for (const FrictionCone& cone : cones)
    keys.emplace_back(q[cone.row], diagonal[cone.row], cone.mu, q.segment(cone.row + 1, cone.tangents).norm(),
                      diagonal.segment(cone.row + 1, cone.tangents).sum(), keys.size());
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> order(cones.size());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const Key& key) { return std::get<5>(key); });
  return order;
}

}  // namespace carom::numerics

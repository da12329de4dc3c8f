#include "carom/simulate/crowd/crowd_islands.h"

#include <algorithm>
#include <numeric>

namespace carom::simulate {

int CrowdIslands::root(int body) {
  while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
  return body;
}

const std::vector<CrowdIsland>& CrowdIslands::of(const Model& model, const std::vector<ContactPair>& pairs,
                                                 std::size_t least) {
  islands_.clear();
  if (pairs.size() < least) return islands_;
  const int bodies = static_cast<int>(model.bodies().size());
  parent_.resize(model.bodies().size());
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const ContactPair& pair : pairs) {
    if (model.first_velocity(pair.parts.body_a) < 0 || model.first_velocity(pair.parts.body_b) < 0) continue;
    const int a = root(pair.parts.body_a), b = root(pair.parts.body_b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  const auto island_of = [&](const ContactPair& pair) {
    return root(model.first_velocity(pair.parts.body_a) >= 0 ? pair.parts.body_a : pair.parts.body_b);
  };
  contacts_.assign(model.bodies().size(), 0);
  number_.assign(model.bodies().size(), -1);
  for (const ContactPair& pair : pairs) ++contacts_[island_of(pair)];
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const int at = island_of(pairs[i]);
    if (contacts_[at] < least) continue;
    if (number_[at] < 0) {
      number_[at] = static_cast<int>(islands_.size());
      islands_.emplace_back().pairs.reserve(contacts_[at]);
    }
    islands_[number_[at]].pairs.push_back(i);
  }
  for (int body = 0; body < bodies; ++body)
    if (const int island = number_[root(body)]; island >= 0 && model.first_velocity(body) >= 0)
      islands_[island].bodies.push_back(body);
  return islands_;
}

}  // namespace carom::simulate

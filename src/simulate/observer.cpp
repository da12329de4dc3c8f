#include "carom/simulate/observer.h"

#include <algorithm>
#include <numeric>

namespace carom::simulate {

std::vector<std::size_t> ImpactEvent::told_contacts() const {
  if (!began.empty()) return began;
  std::vector<std::size_t> all(pairs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<std::size_t> ImpactEvent::told_bodies() const {
  std::vector<std::size_t> places;
  if (began.empty()) {
    places.resize(bodies.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    return places;
  }
  for (const std::size_t i : began)
    for (const int body : {pairs[i].parts.body_a, pairs[i].parts.body_b})
      if (const auto at = std::lower_bound(bodies.begin(), bodies.end(), body); at != bodies.end() && *at == body)
        places.push_back(static_cast<std::size_t>(at - bodies.begin()));
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace carom::simulate

#pragma once

#include <cstddef>
#include <vector>

#include "carom/model/contact_pair.h"

namespace carom::simulate {

/// Contacts that act on each other, by their places in a list of pairs, and the free bodies that they move, ascending.
struct CrowdIsland {
  std::vector<std::size_t> pairs;
  std::vector<int> bodies;
};

/// The islands of at least `least` contacts, in the order of their first contact; for models without joints. Keeps its
/// room.
class CrowdIslands {
 public:
  const std::vector<CrowdIsland>& of(const Model& model, const std::vector<ContactPair>& pairs, std::size_t least);

 private:
  int root(int body);

  std::vector<int> parent_;            // (bodies)
  std::vector<std::size_t> contacts_;  // (bodies) of the island whose root it is
  std::vector<int> number_;            // (bodies) of that island
  std::vector<CrowdIsland> islands_;
};

}  // namespace carom::simulate

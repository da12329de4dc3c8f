#pragma once

#include <cstddef>
#include <vector>

namespace carom::simulate {

/// Places of contacts of an island in the order of sweeps: in colours, which do not depend on how bodies are numbered.
/// Those of one colour come as they are given, which is near to how they lie in memory.
struct CrowdOrder {
  std::vector<std::size_t> order;    // (contacts)
  std::vector<std::size_t> colours;  // first of each colour in `order`, and the end of the last one
};

/// What a contact is placed by: its height, and where heights are the same, what it feels.
struct OrderedContact {
  double height = 0, felt = 0;
  int a = -1, b = -1;  // places of its free bodies; -1: none
};

/// From below to above; then in colours, each the first that none of the two bodies has yet. Contacts of bodies that
/// touch very many others stay without one and come last.
class CrowdOrdering {
 public:
  const CrowdOrder& of(const std::vector<OrderedContact>& contacts, std::size_t bodies);

 private:
  struct Key {
    double height = 0, felt = 0;
    std::size_t contact = 0;
  };
  std::vector<Key> keys_;
  std::vector<unsigned> taken_;  // (bodies) colours, as bits
  std::vector<unsigned char> colour_;
  CrowdOrder result_;
};

}  // namespace carom::simulate

#pragma once

#include <cassert>
#include <limits>
#include <utility>
#include <vector>

#include "carom/simulate/archive.h"

namespace carom::simulate {

/// One pending time for each of some items, and whose is the first. A change costs log(items); equal times are in the
/// order of the items.
class EventHeap {
 public:
  /// Items 0 .. size - 1, all at no time.
  explicit EventHeap(int size) : place_(static_cast<std::size_t>(size)) {
    nodes_.reserve(place_.size());
    for (int i = 0; i < size; ++i) {
      nodes_.push_back({std::numeric_limits<double>::infinity(), i});
      place_[i] = i;
    }
  }

  bool empty() const { return nodes_.empty(); }
  double time() const { return nodes_.front().t; }  // infinite: none is pending
  int first() const { return nodes_.front().item; }

  void set(int item, double t) {
    assert(t == t);
    const int at = place_[item];
    const Node node{t, item};
    if (at > 0 && node < nodes_[parent(at)])
      rise(at, node);
    else
      sink(at, node);
  }

  void archived(Archive& archive) { archive& nodes_& place_; }

 private:
  struct Node {
    double t = 0;
    int item = 0;
    bool operator<(const Node& other) const { return t < other.t || (t == other.t && item < other.item); }
    void archived(Archive& archive) { archive& t& item; }
  };
  static constexpr int kChildren = 4;
  static int parent(int at) { return (at - 1) / kChildren; }

  void put(int at, const Node& node) {
    nodes_[at] = node;
    place_[node.item] = at;
  }
  void rise(int at, const Node& node) {
    for (; at > 0 && node < nodes_[parent(at)]; at = parent(at)) put(at, nodes_[parent(at)]);
    put(at, node);
  }
  void sink(int at, const Node& node) {
    const int size = static_cast<int>(nodes_.size());
    for (;;) {
      const int first = kChildren * at + 1, end = first + kChildren < size ? first + kChildren : size;
      int least = first;
      for (int child = first + 1; child < end; ++child)
        if (nodes_[child] < nodes_[least]) least = child;
      if (first >= size || !(nodes_[least] < node)) break;
      put(at, nodes_[least]);
      at = least;
    }
    put(at, node);
  }

  std::vector<Node> nodes_;  // a heap of kChildren a node
  std::vector<int> place_;   // (items) in it
};

}  // namespace carom::simulate

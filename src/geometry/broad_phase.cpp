#include "carom/geometry/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace carom::geometry {
namespace {

using Number = std::uint32_t;
using Pairs = std::vector<std::pair<Number, Number>>;

bool overlap(const Bounds& a, const Bounds& b) {
  return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
}
bool filled(const Bounds& box) {
  return (box.low.array() <= box.high.array()).all();
}

void note(Number i, Number j, Pairs& pairs) {
  pairs.emplace_back(std::min(i, j), std::max(i, j));
}

/// A tree of boxes: each node holds boxes[first, last) of `order` and is split where their centres lie.
class Tree {
 public:
  Tree(const std::vector<Bounds>& boxes, std::vector<Number> order) : boxes_(boxes), order_(std::move(order)) {
    if (!order_.empty()) build(0, order_.size());
  }
  void pairs_within(Pairs& pairs) const {
    if (!nodes_.empty()) within(0, pairs);
  }

 private:
  static constexpr std::size_t kLeaf = 6;
  struct Node {
    Bounds box;
    std::size_t first = 0, last = 0;
    std::size_t left = 0, right = 0;  // 0: a leaf
  };

  std::size_t build(std::size_t first, std::size_t last) {
    const std::size_t self = nodes_.size();
    nodes_.push_back({{}, first, last, 0, 0});
    Bounds box, centres;
    for (std::size_t i = first; i < last; ++i) {
      const Bounds& b = boxes_[order_[i]];
      box.low = box.low.cwiseMin(b.low);
      box.high = box.high.cwiseMax(b.high);
      centres.low = centres.low.cwiseMin(b.low + b.high);
      centres.high = centres.high.cwiseMax(b.low + b.high);
    }
    nodes_[self].box = box;
    if (last - first <= kLeaf) return self;
    Eigen::Index axis = 0;
    (centres.high - centres.low).maxCoeff(&axis);
    const std::size_t middle = (first + last) / 2;
    const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(first), at(middle), at(last), [&](Number i, Number j) {
      const double ci = boxes_[i].low[axis] + boxes_[i].high[axis], cj = boxes_[j].low[axis] + boxes_[j].high[axis];
      return ci < cj || (ci == cj && i < j);
    });
    const std::size_t left = build(first, middle), right = build(middle, last);
    nodes_[self].left = left;
    nodes_[self].right = right;
    return self;
  }

  void within(std::size_t n, Pairs& pairs) const {
    const Node& node = nodes_[n];
    if (node.left > 0) {
      within(node.left, pairs);
      within(node.right, pairs);
      between(node.left, node.right, pairs);
      return;
    }
    for (std::size_t i = node.first; i < node.last; ++i)
      for (std::size_t j = i + 1; j < node.last; ++j)
        if (overlap(boxes_[order_[i]], boxes_[order_[j]])) note(order_[i], order_[j], pairs);
  }

  void between(std::size_t m, std::size_t n, Pairs& pairs) const {
    const Node &a = nodes_[m], &b = nodes_[n];
    if (!overlap(a.box, b.box)) return;
    if (a.left == 0 && b.left == 0) {
      for (std::size_t i = a.first; i < a.last; ++i) {
        if (!overlap(boxes_[order_[i]], b.box)) continue;
        for (std::size_t j = b.first; j < b.last; ++j)
          if (overlap(boxes_[order_[i]], boxes_[order_[j]])) note(order_[i], order_[j], pairs);
      }
    } else if (b.left == 0 || (a.left > 0 && a.last - a.first >= b.last - b.first)) {
      between(a.left, n, pairs);
      between(a.right, n, pairs);
    } else {
      between(m, b.left, pairs);
      between(m, b.right, pairs);
    }
  }

  const std::vector<Bounds>& boxes_;
  std::vector<Number> order_;
  std::vector<Node> nodes_;
};

}  // namespace

Pairs overlapping_pairs(const std::vector<Bounds>& boxes) {
  std::vector<Number> bounded, unbounded;
  for (Number i = 0; i < boxes.size(); ++i) {
    if (!filled(boxes[i])) continue;
    (boxes[i].low.allFinite() && boxes[i].high.allFinite() ? bounded : unbounded).push_back(i);
  }
  Pairs pairs;
  for (std::size_t i = 0; i < unbounded.size(); ++i) {
    for (std::size_t j = i + 1; j < unbounded.size(); ++j)
      if (overlap(boxes[unbounded[i]], boxes[unbounded[j]])) note(unbounded[i], unbounded[j], pairs);
    for (const Number j : bounded)
      if (overlap(boxes[unbounded[i]], boxes[j])) note(unbounded[i], j, pairs);
  }
  Tree(boxes, std::move(bounded)).pairs_within(pairs);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> overlapping_images(const std::vector<Bounds>& boxes,
                                                                        const Vector3& periods) {
  if (periods.isZero()) return overlapping_pairs(boxes);
  // Each box begins in the first period; what of it is beyond comes back as a second box.
  std::vector<Bounds> all = boxes;
  std::vector<std::uint32_t> of(boxes.size());
  for (std::uint32_t i = 0; i < of.size(); ++i) of[i] = i;
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double period = periods[k];
    if (!(period > 0)) continue;
    for (std::size_t i = 0, count = all.size(); i < count; ++i) {
      const double wide = all[i].high[k] - all[i].low[k];
      if (!(wide < period)) {
        all[i].low[k] = -std::numeric_limits<double>::infinity();
        all[i].high[k] = std::numeric_limits<double>::infinity();
        continue;
      }
      all[i].low[k] -= period * std::floor(all[i].low[k] / period);
      all[i].high[k] = all[i].low[k] + wide;
      if (all[i].high[k] < period) continue;
      Bounds image = all[i];
      image.low[k] -= period;
      image.high[k] -= period;
      all.push_back(image);
      of.push_back(of[i]);
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& [i, j] : overlapping_pairs(all))
    if (of[i] != of[j]) pairs.emplace_back(std::min(of[i], of[j]), std::max(of[i], of[j]));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace carom::geometry

#include "carom/simulate/crowd/crowd_order.h"

#include <algorithm>
#include <array>
#include <bit>

namespace carom::simulate {
namespace {

constexpr int kMostColours = 24;

}  // namespace

const CrowdOrder& CrowdOrdering::of(const std::vector<OrderedContact>& contacts, std::size_t bodies) {
  keys_.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i) keys_.push_back({contacts[i].height, contacts[i].felt, i});
  std::sort(keys_.begin(), keys_.end(), [](const Key& one, const Key& other) {
    if (one.height != other.height) return one.height < other.height;
    if (one.felt != other.felt) return one.felt < other.felt;
    return one.contact < other.contact;
  });
  taken_.resize(std::max(taken_.size(), bodies));
  for (const OrderedContact& one : contacts) {
    if (one.a >= 0) taken_[one.a] = 0;
    if (one.b >= 0) taken_[one.b] = 0;
  }
  std::array<std::size_t, kMostColours + 2> first = {};
  colour_.resize(contacts.size());
  for (const Key& key : keys_) {
    const OrderedContact& one = contacts[key.contact];
    const unsigned used = (one.a >= 0 ? taken_[one.a] : 0) | (one.b >= 0 ? taken_[one.b] : 0);
    const int colour = std::min(kMostColours, std::countr_one(used));
    if (colour < kMostColours) {
      if (one.a >= 0) taken_[one.a] |= 1u << colour;
      if (one.b >= 0) taken_[one.b] |= 1u << colour;
    }
    colour_[key.contact] = static_cast<unsigned char>(colour);
    ++first[colour + 1];
  }
  for (int c = 0; c <= kMostColours; ++c) first[c + 1] += first[c];
  result_.colours.assign(first.begin(), first.begin() + kMostColours + 1);
  while (result_.colours.size() > 2 && result_.colours[result_.colours.size() - 2] == result_.colours.back())
    result_.colours.pop_back();
  result_.order.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (colour_[i] < kMostColours) result_.order[first[colour_[i]]++] = i;
  for (const Key& key : keys_)
    if (colour_[key.contact] == kMostColours) result_.order[first[kMostColours]++] = key.contact;
  return result_;
}

}  // namespace carom::simulate

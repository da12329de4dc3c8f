#include <algorithm>

#include "carom/numerics/cone_equations.h"
#include "carom/numerics/narrow_system.h"

namespace carom::numerics {
namespace {

constexpr Index kNarrowRows = 36;   // from this many on a narrow order is looked for
constexpr Index kPartOfNarrow = 5;  // an order is narrow where entries lie within this part of the diagonal

}  // namespace

/// Contacts stay together in it. Those that feel fewer others come first, so that a layer of contacts is not mixed with
/// the next one.
void ConeEquations::find_narrow_order() {
  if (size() < kNarrowRows) return;
  const int* entries = sparse_.outerIndexPtr();  // half of a row's lie on one side of the diagonal, in any order
  for (Index row = 0; row < size(); ++row)
    if (kPartOfNarrow * ((entries[row + 1] - entries[row]) / 2) > size()) return;
  const std::vector<std::pair<Index, Index>> linked = linked_contacts();
  std::vector<Index> first(cones_.size(), 0);  // of a contact's rows in the order
  for (const std::vector<Index>& part : narrow_order(static_cast<Index>(cones_.size()), linked))
    for (const Index c : part) {
      first[c] = static_cast<Index>(narrow_.size());
      for (Index k = 0; k <= cones_[c].tangents; ++k) narrow_.push_back(cones_[c].row + k);
    }
  Index width = 0;
  for (const auto& [i, j] : linked) {
    const Index later = first[i] > first[j] ? i : j, earlier = later == i ? j : i;
    width = std::max(width, first[later] + cones_[later].tangents - first[earlier]);
  }
  if (kPartOfNarrow * width > size()) narrow_.clear();
}

/// Pairs of contacts that feel each other, those first that feel few others.
std::vector<std::pair<Index, Index>> ConeEquations::linked_contacts() const {
  const Index contacts = static_cast<Index>(cones_.size());
  std::vector<Index> contact(size()), seen(cones_.size(), -1), degree(cones_.size(), 0);
  for (Index c = 0; c < contacts; ++c) std::fill_n(contact.begin() + cones_[c].row, 1 + cones_[c].tangents, c);
  std::vector<std::pair<Index, Index>> linked;
  for (Index c = 0; c < contacts; ++c)
    for (Index row = cones_[c].row; row <= cones_[c].row + cones_[c].tangents; ++row)
      for (SparseMatrix::InnerIterator entry(sparse_, row); entry; ++entry) {
        const Index other = contact[entry.row()];
        if (other <= c || seen[other] == c) continue;
        seen[other] = c;
        linked.emplace_back(c, other);
        ++degree[c];
        ++degree[other];
      }
  std::stable_sort(linked.begin(), linked.end(), [&](const auto& one, const auto& two) {
    return degree[one.first] + degree[one.second] < degree[two.first] + degree[two.second];
  });
  return linked;
}

/// As a dense step, in the order in which elimination stays near the diagonal.
void ConeEquations::narrow_step(const std::vector<Rows>& rows, Vector& change, bool& singular) {
  std::vector<Index> in_J(size(), 0);
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (rows[c].open) std::fill_n(in_J.begin() + cones_[c].row, 1 + cones_[c].tangents, -1);
  Index count = 0;
  for (const Index row : narrow_)
    if (in_J[row] >= 0) in_J[row] = count++;
  if (count == 0) return;
  Coupled system = coupled(rows, change, in_J, count, 0);
  std::optional<Vector> found = solve_regular_narrow(count, system.entries, system.right, kSingular);
  singular = !found;
  if (singular) {
    for (std::size_t c = 0; c < rows.size(); ++c)
      for (Index i = 0; !rows[c].open && i <= cones_[c].tangents; ++i)
        for (Index t = 0; t <= cones_[c].tangents; ++t)
          system.entries.emplace_back(static_cast<int>(in_J[cones_[c].row + i]),
                                      static_cast<int>(in_J[cones_[c].row + t]), kProximal * rows[c].across(i, t));
    found = solve_narrow(count, system.entries, system.right, 0).x;
  }
  for (Index row = 0; row < size(); ++row)
    if (const Index from = in_J[row]; from >= 0) change[row] = (*found)[from];
}

}  // namespace carom::numerics

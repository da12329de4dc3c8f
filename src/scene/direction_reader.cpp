#include "carom/scene/direction_reader.h"

#include <fmt/format.h>

#include "carom/scene/error.h"
#include "carom/scene/path.h"
#include "carom/scene/words.h"

namespace carom::scene {

void DirectionReader::add(const Field& direction) {
  if (direction.node->array())
    add_dense(direction);
  else if (direction.node->object())
    add_sparse(direction);
  else
    fail_expected(direction, R"(a list of numbers as long as u, or an object such as {"0": -1, "1": 1})");
  ++columns_;
}

void DirectionReader::add_dense(const Field& direction) {
  const Node::Array& values = *direction.node->array();
  if (static_cast<Index>(values.size()) != n_)
    fail(direction, fmt::format("has {} entries, the system {} degrees of freedom; a direction is as long as u",
                                values.size(), n_));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i].number()) fail_expected(entry(direction, i), "a number");
    add_entry(i, *values[i].number());
  }
}

void DirectionReader::add_sparse(const Field& direction) {
  for (const Member& component : *direction.node->object()) {
    const std::optional<std::size_t> index = parse_index(component.key);
    if (!index || static_cast<Index>(*index) >= n_)
      fail(*direction.document, component.key_at,
           fmt::format(
               "{} has the key {}; the keys of a direction are the indices 0 to {}, without sign or leading zeros",
               direction.path, in_quotes(component.key), n_ - 1));
    add_entry(*index, value_of<double>(member(direction, component)));
  }
}

void DirectionReader::add_entry(std::size_t row, double value) {
  if (value != 0) entries_.emplace_back(static_cast<int>(row), static_cast<int>(columns_), value);
}

SparseMatrix DirectionReader::matrix() const {
  SparseMatrix directions(n_, columns_);
  directions.setFromTriplets(entries_.begin(), entries_.end());
  return directions;
}

}  // namespace carom::scene

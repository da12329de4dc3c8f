#pragma once

#include "carom/scene/draft.h"

namespace carom::scene {

/// What the tables `first`, `last` and those of `member` may change: everything but the place.
void require_single_body_keys(const Field& table);

/// The table of `member = {3 = {mass = 2}}` in which the i-th body differs, i from 0; nothing if there is none. Throws
/// ReadError on a key that is no number from 1 to `count`.
std::optional<Field> member_table(const Field& repeated, std::size_t i, std::size_t count);

/// [[chain]]: bodies in a row, each touching the next or at a gap from it; they may hang on strings.
void read_chains(Draft& draft, const Field& root);

/// [[grid]]: bodies on a lattice, for gases and packings.
void read_grids(Draft& draft, const Field& root);

}  // namespace carom::scene

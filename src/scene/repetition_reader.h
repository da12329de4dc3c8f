#pragma once

#include "carom/scene/draft.h"

namespace carom::scene {

/// [[chain]]: bodies in a row, each touching the next or at a gap from it; they may hang on strings.
void read_chains(Draft& draft, const Field& root);

/// [[grid]]: bodies on a lattice, for gases and packings.
void read_grids(Draft& draft, const Field& root);

}  // namespace carom::scene

#pragma once

#include <vector>

#include "carom/impact/path.h"
#include "carom/impact/problem.h"
#include "carom/record/json.h"

namespace carom::record {

/// Evenly spread numbers below `count`, at most `most`, the first and the last among them.
std::vector<Index> spread(std::size_t count, std::size_t most);

/// Contacts of an impact that a page shows: all, or a few hundred of them.
std::vector<Index> contacts_to_see(std::size_t count);

/// A path for a page, at moments evenly spread from the touch until all forces are below a thousandth of the peak:
/// "parameter" ("time" or "impulse"), "contact_count", "contacts" (which) and "names", "peak" [N], "times" from the
/// touch, "force" (times x contacts; of hundreds of contacts the largest since the time before, so that a wave is not
/// lost between two times), "velocity" (times x u_rows), "kinetic", "stored" [J]. Along an impulse there are no forces.
/// Null where there is nothing to play.
Json path_to_see(const ImpactProblem& problem, const Path& path, const std::vector<Index>& u_rows);

}  // namespace carom::record

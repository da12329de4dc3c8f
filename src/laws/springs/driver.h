#pragma once

#include <optional>

#include "carom/impact/outcome.h"

namespace carom::springs {

/// What the rest of an impact may change in velocities, in parts of the tolerance, to be left out: at a look now and
/// then, and where there are no steps left.
inline constexpr double kLook = 0.05, kLastLook = 1;

/// Follows an impact step by step to its end. A method has the stages of a step:
/// - `prepare`, all that is decided before it; false if an event was due at once and there is no step to make
/// - `attempt`, which tries it; false if its error is too large
/// - `first_event`, the part of it after which something happens, and `take`, which moves there and through it
/// and says when it is exhausted, when what is left may be left out, and whether it still suits the impact; if not,
/// there is no status yet and another method goes on.
template <class Method>
std::optional<Status> advance(Method&& method) {
  while (method.anything_alive()) {
    if (!method.prepare()) continue;
    if (method.is_exhausted()) return method.may_end(kLastLook) ? Status::solved : Status::iteration_limit;
    if (!method.attempt()) continue;
    method.take(method.first_event());
    if (method.has_ended()) break;
    if (!method.still_suits()) return std::nullopt;
  }
  return Status::solved;
}

}  // namespace carom::springs

#pragma once

#include <cstdint>
#include <string>

#include "carom/laws/all.h"

namespace carom::soak {

/// How far masses lie apart.
enum class Masses { ordinary, broad };  // 1e-6 to 1e6, 1e-9 to 1e9

/// An impact and a law for it, drawn at random, much broader than what mechanisms look like: redundant and degenerate
/// contacts, joints in the way, moving walls, smooth impulses. The same seed gives the same impact.
struct RandomImpact {
  std::uint64_t seed = 0;
  std::string kind;  // "chain", "bodies in the plane", ...
  Masses masses = Masses::ordinary;
  bool tangential = false;  // contacts rest that may start to press each other
  ImpactProblem problem;
  ImpactLaw law;
};

RandomImpact random_impact(std::uint64_t seed);

/// Contacts that touch without closing, many of which slip and are pressed together by their friction: tangential
/// impacts, under the law that has them (keller).
RandomImpact random_tangential_impact(std::uint64_t seed);

}  // namespace carom::soak

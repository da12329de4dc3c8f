#pragma once

#include <optional>
#include <vector>

#include "carom/impact/force_problem.h"

namespace carom::simulate {

/// How one contact of a ForceProblem goes on.
struct ForceMode {
  enum class Kind { open, holds, slips };
  Kind kind = Kind::holds;                          // holds: closed, and without friction or sticking
  Eigen::Vector2d along = Eigen::Vector2d::Zero();  // of slip, in its tangents

  bool operator==(const ForceMode&) const = default;
};

/// Forces, and a mode of each contact in which they solve the problem.
struct ForceModes {
  Vector lambda, acceleration;   // (rows)
  std::vector<ForceMode> modes;  // (cones)
};

/// Solves a ForceProblem from modes that are nearly right, as those before an event are: the equations of the modes
/// give forces, contacts that pull open, those that sink close, those that cannot hold slip, and those that would slip
/// the other way hold, until nothing changes. A step costs one linear system, narrow where bodies form a chain. Nothing
/// if that goes round in a circle or does not end soon: this is no proof that there are no forces.
std::optional<ForceModes> find_force_modes(const ForceProblem& problem, std::vector<ForceMode> start);

}  // namespace carom::simulate

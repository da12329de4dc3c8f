#pragma once

#include <vector>

#include "carom/impact/problem.h"
#include "carom/model/contact_rules.h"
#include "carom/model/joint_rows.h"

namespace carom {

/// The impact of the bodies that some contact pairs and the joints connect: only they take part.
struct Island {
  std::vector<ContactPair> pairs;
  std::vector<int> bodies;  // free ones, ascending
};

/// Touches that share a free body, directly or through joints, are one island. In the order of their least body.
std::vector<Island> islands(const Model& model, const std::vector<ContactPair>& pairs);

/// The impact of one island, in its own numbering of velocities: those of its bodies in ascending order. Joints that
/// move (on bodies with prescribed motion) are made scleronomic by measuring velocities relative to `frame`, which is
/// to be added to u+ again. Contacts have tangents where they have friction or tangential restitution, unless `smooth`.
struct IslandProblem {
  ImpactProblem problem;
  Vector frame;             // (island's velocities) zero unless such joints exist
  std::vector<Index> rows;  // (island's velocities) their places in u
};
IslandProblem impact_problem(const Model& model, const ContactRules& rules, const State& state, const Island& island,
                             bool smooth = false);

/// A time step of one island: contacts add to what the smooth forces and the joints would do to its velocities,
///   M (u+ - u-) = p + W Lambda + J Lambda_J,   p = M (u_free - u-),   J'(u+ - u_free) = 0.
/// `u_free` are all velocities without contacts, `across` their part across the joints, which becomes the frame.
IslandProblem step_problem(const Model& model, const ContactRules& rules, const State& state, const Island& island,
                           const Vector& u_free, const Vector& across);

/// The contacts and velocities of it alone, without M, W and J, for who tells what happened.
IslandProblem named_problem(const Model& model, const ContactRules& rules, const State& state, const Island& island);

}  // namespace carom

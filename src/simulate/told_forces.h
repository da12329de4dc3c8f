#pragma once

#include <vector>

#include "carom/simulate/observer.h"
#include "carom/simulate/smooth_motion.h"

namespace carom::simulate {

/// What observers are told of rigid contacts and joints at a recorded time.

/// The forces of a mode that was followed to this state, with its reactions.
std::vector<ContactForce> told_contacts(const Model& model, const State& state, const Mode& mode,
                                        const Reactions& reactions);

/// The forces of all joints from those of their equations, `lambda` in the order of joint_rows; `open` as in Reactions.
std::vector<JointForce> told_joints(const Model& model, const State& state, const Vector& lambda,
                                    const std::vector<char>& open);

/// The same from what they do together, `force` (velocities); redundant joints share it with the least norm.
std::vector<JointForce> told_joints(const Model& model, const State& state, const Vector& force);

/// The same where contacts have these forces and nothing else is unknown.
std::vector<JointForce> told_joints(const Model& model, const State& state, const std::vector<ContactForce>& contacts);

}  // namespace carom::simulate

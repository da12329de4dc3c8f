#pragma once

#include <array>
#include <optional>

#include "carom/model/contact_pair.h"

namespace carom {

/// Where a body is, how it moves, and how its frame accelerates with u' = 0.
struct BodyMotion {
  Pose pose;
  Twist twist, bias;
};
BodyMotion body_motion(const Model& model, const State& state, int body);

/// The rows of `contact_rows` and `contact_bias` of one contact, as blocks of its two bodies:
///   gamma = W_a'u_a + W_b'u_b + drift,   d gamma / dt = bias with u' = 0.
/// A column of W for the normal, then those of the tangents; of a body's velocities the first 1, 3 or 6 rows.
struct ContactBlock {
  std::array<Index, 2> first = {-1, -1};  // of the bodies' velocities in u; -1: not free
  std::array<Eigen::Matrix<double, 6, 3>, 2> W;
  Vector3 drift = Vector3::Zero(), bias = Vector3::Zero();
  int rows = 1;
  std::array<Vector3, 2> tangents = {Vector3::Zero(), Vector3::Zero()};
};
ContactBlock contact_block(const Model& model, const State& state, const ContactPair& pair, const BodyMotion& a,
                           const BodyMotion& b, bool along);

/// The contact with the same feature where the bodies are now; nothing where contact points must be looked for.
std::optional<ContactPair> same_contact(const Model& model, const ContactPair& pair, const Pose& a, const Pose& b);

}  // namespace carom

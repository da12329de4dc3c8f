#pragma once

#include <vector>

#include "carom/base/contact_mode.h"
#include "carom/model/contact_pair.h"
#include "carom/model/contact_rules.h"

namespace carom::simulate {

/// How two bodies move along a contact that stays closed.
struct TangentialState {
  double mu = 0;
  ContactMode mode = ContactMode::closed;
  Vector3 heading = Vector3::Zero();  // of slip of body b over body a, a unit vector; in the plane its sense is kept
  bool starting = false;              // slips so slowly as yet that the heading alone tells the direction
  double mu_s = mu;                   // what holds it while it sticks
  Eigen::Vector2d scale = {1, 1};     // of the tangents: along them, times it, friction has the one coefficient mu
                                      // (impact/round_cones.h)

  /// What bounds the friction force in this mode, of the normal force.
  double bound() const { return mode == ContactMode::stick ? mu_s : mu; }
  TangentialState sticking() const { return {mu, ContactMode::stick, Vector3::Zero(), false, mu_s, scale}; }
  TangentialState slipping(const Vector3& along, bool starts) const {
    return {mu, ContactMode::slip, along, starts, mu_s, scale};
  }

  using Along = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 2, 1>;  // one entry a tangent

  /// The components of slip along the tangents (of which there are at most two), scaled; likewise the force.
  Along scaled_slip(const Tangents& tangents, const Vector3& slip) const;
  Along scaled_force(const Tangents& tangents, const Vector3& force) const;
  /// The unit vector of a slip with these scaled components; that which friction of this force takes most power from.
  Vector3 direction(const Tangents& tangents, const Along& scaled_slip) const;
  Vector3 slip_against(const Tangents& tangents, const Vector3& force) const;
};

/// How a contact with these properties rubs, before its mode is known; without friction on a line.
TangentialState rubbing(const PairProperties& known, const ContactPair& pair, Dimension dimension);

/// The contacts that stay closed between two events, and how.
struct Mode {
  std::vector<ContactPair> closed;
  std::vector<TangentialState> tangential;  // (closed)

  bool empty() const { return closed.empty(); }
  void add(const ContactPair& pair, const TangentialState& along) {
    closed.push_back(pair);
    tangential.push_back(along);
  }
};

/// The unit direction in which a contact slips now.
Vector3 slip_direction(const Model& model, const State& state, const ContactPair& pair,
                       const TangentialState& tangential);

}  // namespace carom::simulate

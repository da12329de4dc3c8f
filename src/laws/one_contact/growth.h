#pragma once

#include <vector>

#include "carom/laws/one_contact/closing_contact.h"
#include "carom/laws/one_contact/impact.h"

namespace carom::one_contact {

/// How disturbances of contacts that rest (gamma = 0) grow while slips last:
///   s'' = -C lambda,   lambda_j = k_j s_j^eta,   C_ij = G_n,ij - mu_j G_nt,ij t_j,   s >= 0.
/// Contacts without slip stick as far as friction can hold them; what is proven allows them any friction |.| <= mu_s.
/// Lengths are scaled so that a direction of kinetic norm 1 has entries of about 1. Of contacts with unequal eta those
/// with the least one carry small forces.
class Growth {
 public:
  Growth(const ContactProblem& problem, const std::vector<Index>& group);

  Index size() const { return static_cast<Index>(at_rest_.size()); }
  const ClosingContact& at_rest(Index i) const { return at_rest_[i]; }
  double eta() const { return eta_; }

  /// Proven: impulses P stay as small as the disturbance gamma_0. Nothing slips, so that all that follows has its size;
  /// or impulses, or energies, bound them.
  bool nothing_grows(Restitution restitution) const;

  /// Proven: all disturbances end up along one direction. There is one contact, C < 0; or all press all, C_ij < 0, with
  /// one eta and
  ///   eta tanh(D / 4) < 1,   D = log max_ijkl C_ik C_jl / (C_jk C_il).
  /// The forces of two states are then closer to each other, in Hilbert's metric, than the states [Birkhoff 1957], and
  /// so are the states that they lead to, where little is left of the disturbance itself. All of that is compression.
  bool grows_one_way() const;

  /// What presses contacts together in a state d >= 0: their accelerations, 0 where they part.
  Vector accelerations(const Vector& d) const;

  /// (m) Of all contacts of the problem.
  Vector speeds(const Vector& d) const;

 private:
  bool is_bound_by_impulses(const Matrix& C) const;
  double least_pressed(Index i, Index j) const;
  Matrix scaled_C() const;
  void hold(const Vector& forces, Vector& rows) const;

  Index all_;
  std::vector<ClosingContact> at_rest_;
  std::vector<Index> first_;  // row of the normal in G
  Matrix G_;
  Vector scale_, stiffness_;
  Vector returned_;  // 1 + e: most of an impulse, of that of compression
  double eta_ = 0;
};

/// Whether contact j, while it has a force, presses contact i (-1) or parts it (1) whatever its friction does; 0 where
/// that is not known or where it does not move it.
int surely_moves(const ContactProblem& problem, Index j, Index i);

}  // namespace carom::one_contact

#pragma once

#include <vector>

#include "carom/impact/law.h"

namespace carom::one_contact {

/// Tangential impacts of contacts that move each other. Nothing closes, so nothing moves as long as all forces are
/// zero; but the state is not stable. While slips last, the indentations obey
///   s'' = -C lambda,   lambda_j = k_j s_j^eta,   C_ij = G_n,ij - mu_j G_nt,ij t_j,   s >= 0,
/// and any disturbance grows, in the end along a direction d >= 0 that its own forces reproduce: d ~ (-C k d^eta)+.
/// The impact is the limit of ever smaller disturbances. Where all of them grow along one d it is unique; where
/// contacts part each other, or hardly press each other, who is first leaves others behind, and there are several.
/// Of contacts with unequal eta those with the least one carry small forces.
struct Onset {
  std::vector<Vector> directions;  // (m) closing speeds; the first from equal disturbances, all of kinetic norm ~1
  bool alone = true;               // false: another contact closes
  bool settled = true;             // false: disturbances were not seen to end up along a direction
};

/// `tangential`: contacts of the problem that have a tangential impact. `closing`: others close, which decides what the
/// former do; they are only made to start.
Onset onset_of(const ContactProblem& problem, const std::vector<Index>& group, const std::vector<Index>& tangential,
               bool closing);

/// The energy of a closing as fast as the fastest of these slips.
double slip_energy(const ContactProblem& problem, const std::vector<Index>& tangential);

}  // namespace carom::one_contact

#pragma once

#include <vector>

#include "carom/impact/law.h"

namespace carom::one_contact {

/// Tangential impacts of contacts that move each other. Nothing closes, so nothing moves as long as all forces are
/// zero; but the state may not be stable. While slips last, the indentations obey
///   s'' = -C lambda,   lambda_j = k_j s_j^eta,   C_ij = G_n,ij - mu_j G_nt,ij t_j,   s >= 0,
/// (contacts without slip stick as far as friction can hold them) and a disturbance grows if there is a direction
/// d >= 0 that its own forces reproduce: d ~ (-C k d^eta)+. That may be one contact that friction presses together,
/// C_ii < 0, or several that press each other, whatever each does alone.
/// The impact is the limit of ever smaller disturbances. Where all of them grow along one d it is unique; where
/// contacts part each other, or hardly press each other, who is first leaves others behind, and there are several.
/// A contact that is parted on the way does not come back, so d alone does not tell whether u+ is unique: `others` do.
/// Of contacts with unequal eta those with the least one carry small forces. Where no d is found but a contact has
/// C_ii < 0 it is made to start, and `settled` is false.
struct Onset {
  std::vector<Vector> directions = {};  // (m) closing speeds; the first from equal disturbances, of kinetic norm ~1
  std::vector<Vector> others = {};      // disturbances of one contact each, and of all: what else to try
  std::vector<Index> starting = {};     // contacts that have a part in a direction
  bool alone = true;                    // false: another contact closes
  bool settled = true;                  // false: disturbances were not seen to end up along a direction
};

/// How contacts of a group start where none of them closes. No directions: nothing grows.
Onset onset_of(const ContactProblem& problem, const std::vector<Index>& group);

/// How they start where others close, which decides what they do: they are only made to start.
Onset onset_beside_closing(const ContactProblem& problem, std::vector<Index> tangential);

/// The energy of a closing as fast as the fastest of these slips.
double slip_energy(const ContactProblem& problem, const std::vector<Index>& contacts);

}  // namespace carom::one_contact

#pragma once

#include <vector>

#include "carom/impact/law.h"
#include "carom/laws/one_contact/impact.h"

namespace carom::one_contact {

/// Tangential impacts of contacts that move each other. Nothing closes, so nothing moves as long as all forces are
/// zero; but the state may not be stable (growth.h): a disturbance grows if there is a direction d >= 0 that its own
/// forces reproduce, d ~ (-C k d^eta)+. That may be one contact that friction presses together, C_ii < 0, or several
/// that press each other, whatever each does alone.
/// The impact is the limit of ever smaller disturbances. Where all of them grow along one d it is unique; where
/// contacts part each other, or hardly press each other, who is first leaves others behind, and there are several.
/// Whether all of them do is a matter of proof (`one_way`); whether some do not, of trying (`others`): a contact that
/// is parted on the way does not come back. Where no d is found but a contact has C_ii < 0 it is made to start.
struct Onset {
  std::vector<Vector> directions = {};  // (m) closing speeds; the first from equal disturbances, of kinetic norm ~1
  std::vector<Vector> others = {};      // disturbances of all contacts, and of one each: what else to try
  std::vector<Index> starting = {};     // contacts that have a part in a direction
  bool alone = true;                    // false: another contact closes
  bool one_way = true;                  // proven: all disturbances lead the same way, or none leads anywhere
};

/// How contacts of a group start where none of them closes. No directions: nothing was seen to grow.
Onset onset_of(const ContactProblem& problem, const std::vector<Index>& group, Restitution restitution);

/// How they start where others of the group close. Those decide what contacts at rest do that they press, or part;
/// contacts that have a tangential impact are only made to start.
Onset onset_beside_closing(const ContactProblem& problem, const std::vector<Index>& group,
                           const std::vector<Index>& closing, Restitution restitution);

/// The energy of a closing as fast as the fastest of these slips.
double slip_energy(const ContactProblem& problem, const std::vector<Index>& contacts);

}  // namespace carom::one_contact

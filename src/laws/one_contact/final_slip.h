#pragma once

#include "carom/laws/one_contact/closing_contact.h"

namespace carom::one_contact {

/// Coulomb's law between the impulses and the slip after the impact, with Newton's rebound:
///   c_n+ = -e c_n-,   c_t+ = 0 and |P_t| <= mu P_n,   or   P_t = -mu P_n c_t+ / |c_t+|.
/// Sticking is tried first. Nothing where no impulse does it: only if joints or walls wedge the contact.
struct FinalSlip {
  Eigen::Vector3d P;
  bool sticks = false;
};
std::optional<FinalSlip> impulse_of_final_slip(const ClosingContact& contact);

}  // namespace carom::one_contact

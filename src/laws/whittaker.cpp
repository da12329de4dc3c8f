#include "carom/laws/whittaker.h"

#include "carom/laws/one_contact/closing_contact.h"
#include "carom/laws/one_contact/initial_slip.h"

namespace carom {

Impulses Whittaker::impulses(const ContactProblem& problem) const {
  const std::optional<one_contact::ClosingContact> contact = one_contact::closing_contact(problem, name);
  if (!contact) return one_contact::no_impact(problem);
  const one_contact::InitialSlip slip(*contact);
  const std::optional<Eigen::Vector3d> P = contact->impulse_of_ratio(slip.ratio(contact->mu));
  return P ? one_contact::impulse_at(problem, *contact, *P, slip.mode())
           : one_contact::held_fast(problem, *contact, name);
}

}  // namespace carom

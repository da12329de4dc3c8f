#include "carom/laws/whittaker.h"

#include "carom/laws/moments.h"
#include "carom/laws/one_contact/initial_slip.h"

namespace carom {

Impulses Whittaker::impulses(const ContactProblem& problem) const {
  const Moments moments(problem, moment, moment_directions);
  const std::optional<one_contact::ClosingContact> closing = one_contact::closing_contact(problem, name);
  if (!closing) return one_contact::no_impact(problem);
  const std::optional<one_contact::ClosingContact> contact = moments.acting_on(*closing);
  if (!contact) return moments.alone();
  const one_contact::InitialSlip slip(*contact);
  const std::optional<Eigen::Vector3d> P = contact->impulse_of_ratio(slip.ratio(contact->mu));
  if (!P) return one_contact::held_fast(problem, *contact, name);
  Impulses impulses = one_contact::impulse_at(problem, *contact, *P, slip.mode());
  moments.add_to(impulses);
  return impulses;
}

}  // namespace carom

#include "carom/laws/brach.h"

#include "carom/laws/moments.h"
#include "carom/laws/one_contact/initial_slip.h"

namespace carom {

Impulses Brach::impulses(const ContactProblem& problem) const {
  const Moments moments(problem, moment, moment_directions);
  const std::optional<one_contact::ClosingContact> closing = one_contact::closing_contact(problem, name);
  if (!closing) return one_contact::no_impact(problem);
  const std::optional<one_contact::ClosingContact> acting = moments.acting_on(*closing);
  if (!acting) return moments.alone();
  const one_contact::ClosingContact& contact = *acting;
  const one_contact::InitialSlip slip(contact);
  const double critical = slip.critical();
  const bool caps = capped && slip.slips() && critical < contact.mu;
  const std::optional<Eigen::Vector3d> P = contact.impulse_of_ratio(slip.ratio(caps ? critical : contact.mu));
  if (!P) return one_contact::held_fast(problem, contact, name);
  Impulses impulses = one_contact::impulse_at(problem, contact, *P, caps ? "capped" : slip.mode());
  moments.add_to(impulses);
  return impulses;
}

}  // namespace carom

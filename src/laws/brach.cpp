#include "carom/laws/brach.h"

#include "carom/laws/moments.h"
#include "carom/laws/one_contact/initial_slip.h"

namespace carom {

Impulses Brach::impulses(const ContactProblem& problem) const {
  const Moments moments(problem, moment, moment_directions);
  const std::optional<ClosingContact> closing = closing_contact(problem, name);
  if (!closing) return no_impact(problem);
  const ClosingContact contact = seen_alone(moments.contacts(), closing->contact);
  const InitialSlip slip(contact);
  const double critical = slip.critical();
  const bool caps = capped && slip.slips() && critical < contact.mu;
  const std::optional<Eigen::Vector3d> P = contact.impulse_of_ratio(slip.ratio(caps ? critical : contact.mu));
  if (!P) return held_fast(problem, contact, name);
  Impulses impulses = impulse_at(problem, contact, *P, caps ? "capped" : slip.mode());
  moments.add_to(impulses);
  return impulses;
}

}  // namespace carom

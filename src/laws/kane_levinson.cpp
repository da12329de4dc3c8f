#include "carom/laws/kane_levinson.h"

#include "carom/laws/moments.h"
#include "carom/laws/one_contact/final_slip.h"

namespace carom {

Impulses KaneLevinson::impulses(const ContactProblem& problem) const {
  const Moments moments(problem, moment, moment_directions);
  const std::optional<one_contact::ClosingContact> closing = one_contact::closing_contact(problem, name);
  if (!closing) return one_contact::no_impact(problem);
  const std::optional<one_contact::ClosingContact> contact = moments.acting_on(*closing);
  if (!contact) return moments.alone();
  const std::optional<one_contact::FinalSlip> end = one_contact::impulse_of_final_slip(*contact);
  if (!end) return one_contact::held_fast(problem, *contact, name);
  Impulses impulses = one_contact::impulse_at(problem, *contact, end->P, end->sticks ? "sticking" : "sliding");
  moments.add_to(impulses);
  return impulses;
}

}  // namespace carom

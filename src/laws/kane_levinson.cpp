#include "carom/laws/kane_levinson.h"

#include "carom/laws/one_contact/final_slip.h"

namespace carom {

Impulses KaneLevinson::impulses(const ContactProblem& problem) const {
  const std::optional<one_contact::ClosingContact> contact = one_contact::closing_contact(problem, name);
  if (!contact) return one_contact::no_impact(problem);
  const std::optional<one_contact::FinalSlip> end = one_contact::impulse_of_final_slip(*contact);
  if (!end) return one_contact::held_fast(problem, *contact, name);
  return one_contact::impulse_at(problem, *contact, end->P, end->sticks ? "sticking" : "sliding");
}

}  // namespace carom

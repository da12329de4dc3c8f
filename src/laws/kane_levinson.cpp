#include "carom/laws/kane_levinson.h"

#include "carom/laws/one_contact/final_slip.h"

namespace carom {

Impulses KaneLevinson::impulses(const ContactProblem& problem) const {
  const std::optional<ClosingContact> contact = closing_contact(problem, name);
  if (!contact) return no_impact(problem);
  const std::optional<FinalSlip> end = impulse_of_final_slip(*contact);
  if (!end) return held_fast(problem, *contact, name);
  return impulse_at(problem, *contact, end->P, end->sticks ? "sticking" : "sliding");
}

}  // namespace carom

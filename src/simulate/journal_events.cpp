#include <algorithm>
#include <utility>

#include "carom/simulate/end_of_bounces.h"
#include "carom/simulate/journal.h"
#include "carom/simulate/mode_events.h"

namespace carom::simulate {

void Journal::event(double t, RunEvent::Kind kind, std::string what, std::string detail) {
  if (!wants_forces()) return;
  tell_foreseen(t);
  observer_.event(model_, {t, kind, std::move(what), std::move(detail)});
}

/// The ends of infinite sequences are known a little before they come: rows of events are in the order of time.
void Journal::tell_foreseen(double until) {
  if (foreseen_.empty()) return;
  std::stable_sort(foreseen_.begin(), foreseen_.end(), [](const RunEvent& x, const RunEvent& y) { return x.t < y.t; });
  auto next = foreseen_.begin();
  for (; next != foreseen_.end() && next->t <= until; ++next) observer_.event(model_, *next);
  foreseen_.erase(foreseen_.begin(), next);
}

void Journal::happened(double t, RunEvent::Kind kind, const PartPair& parts) {
  if (wants_forces()) event(t, kind, name(parts), "");
}

void Journal::contacts_now(const State& state, const Mode& mode) {
  if (!wants_forces()) return;
  if (!knows_closed_) closed_ = mode;
  knows_closed_ = true;
  for (ModeEvent& one : mode_events(model_, state, closed_, mode))
    event(state.t, one.kind, name(one.parts), std::move(one.detail));
  closed_ = mode;
}

void Journal::closure(const ContactClosure& closure) {
  losses_.add({closure.parts.body_a, closure.parts.body_b, -1, 1, closure.dissipated});
  if (closure.opened) happened(closure.end, RunEvent::Kind::opens, closure.parts);
  observer_.closure(model_, closure);
}

void Journal::lasting(std::vector<ContactClosure> closures) {
  std::sort(closures.begin(), closures.end(),
            [](const ContactClosure& x, const ContactClosure& y) { return x.parts < y.parts; });
  for (ContactClosure& one : closures) {
    one.opened = false;
    closure(one);
  }
}

void Journal::note_accumulation(double t, const Island& island, const ImpactProblem& problem, bool at_rest) {
  const std::vector<double> times = sequences_.note(t, island.bodies, at_rest);
  if (times.empty()) return;
  if (const std::optional<double> end = end_of_bounces(times, problem)) {
    summary.accumulation_times.push_back(*end);
    if (wants_forces())
      foreseen_.push_back(
          {*end, RunEvent::Kind::accumulation, names(island.pairs, "-"), "infinitely many impacts come to an end"});
  } else {
    event(t, RunEvent::Kind::accumulation, names(island.pairs, "-"),
          "bounces would go on for ever, ever weaker; they are taken as rest from here on");
  }
}

}  // namespace carom::simulate

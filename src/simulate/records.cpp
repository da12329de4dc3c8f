#include "carom/simulate/records.h"

#include <algorithm>
#include <cmath>

#include "carom/simulate/told_forces.h"

namespace carom::simulate {

Records::Records(const Model& model, const ContactSearch& search, const RunOptions& options, Journal& journal,
                 double start)
    : model_(model), search_(search), options_(options), journal_(journal), start_(start) {
  go_on(0);
}

void Records::go_on(long from) {
  recorded_ = from;
  next_ = options_.record_time(start_, recorded_);
}

long Records::last() const {
  return static_cast<long>(std::ceil(options_.duration / options_.interval - 1e-9));
}

void Records::until(double t, const TrajectoryStep* step, const Moment& now, const Mode& closed) {
  while (is_due(t)) {
    Moment moment = now;
    if (step) {
      const double theta = (next_ - step->start()) / step->length();
      moment = {step->at(theta), step->work(theta), step->damped(theta), step->friction_work(theta)};
    }
    const Ledger ledger = journal_.summary.ledger;
    const Moment before = entered;
    book(moment);
    measure(moment.state);
    tell(moment.state, closed);
    journal_.summary.ledger = ledger;
    entered = before;
    go_on(recorded_ + 1);
  }
}

void Records::tell(const State& state, const Mode& closed) {
  journal_.record(state);
  if (journal_.wants_forces()) {  // those of the mode at a state that it leads to
    const Mode there = follow(model_, state, closed).mode;
    const Reactions reactions = react(model_, state, there);
    journal_.forces(state.t, told_contacts(model_, state, there, reactions),
                    told_joints(model_, state, reactions.joints, reactions.open_joints));
  }
  told_at = state.t;
}

void Records::book(const Moment& moment) {
  Ledger& ledger = journal_.summary.ledger;
  ledger.work += moment.work - entered.work;
  ledger.dissipated_dampers += moment.damped - entered.damped;
  ledger.dissipated_slip += moment.friction_work - entered.friction_work;
  entered = {{}, moment.work, moment.damped, moment.friction_work};
}

void Records::measure(const State& state) {
  double& deepest = journal_.summary.deepest_penetration;
  for (const ContactPair& pair : search_.touching(state, 0)) deepest = std::max(deepest, -pair.point.gap);
}

}  // namespace carom::simulate

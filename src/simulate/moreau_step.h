#pragma once

#include "simulate/contact_search.h"
#include "simulate/journal.h"

namespace carom {

class MoreauStep {
 public:
  MoreauStep(const Model& model, const ContactRules& rules, const ContactSearch& search, const ImpactLaw& law,
             const TimeStepping& scheme, Journal& journal)
      : model_(model), rules_(rules), search_(search), law_(law), scheme_(scheme), journal_(journal) {}
  State after(const State& state, double h) {
    State s = state;
    s.t += 0.5 * h;
    model_.displace(s.q, 0.5 * h * s.u);
    const Vector p = h * forces_of(s);
    for (const Island& island : islands(model_, search_.touching(s, 1e-8))) {
      IslandProblem ip = impact_problem(model_, rules_, s, island);
      ip.problem.p = p(ip.rows);
      const Answer found = answer(ip.problem, law_, scheme_.accuracy);
      journal_.step(s, island, ip, found, false);
      s.u(ip.rows) = found.outcome.u_plus + ip.frame;
    }
    s.t = state.t + h;
    model_.displace(s.q, 0.5 * h * s.u);
    return s;
  }

 private:
  Vector forces_of(const State& s) const;
  const Model& model_;
  const ContactRules& rules_;
  const ContactSearch& search_;
  const ImpactLaw& law_;
  TimeStepping scheme_;
  Journal& journal_;
};

}  // namespace carom

#pragma once

#include <vector>

#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"
#include "carom/model/contact_pair.h"

namespace carom::simulate {

/// One impact of a run.
struct ImpactEvent {
  double t = 0;
  const State* before = nullptr;
  const ImpactProblem* problem = nullptr;  // of the bodies involved only
  const ImpactOutcome* outcome = nullptr;
  std::vector<ContactPair> pairs;  // (m) one per contact of the problem
  std::vector<int> bodies;         // free bodies involved, ascending
  bool at_rest = false;            // too slow to bounce: taken as plastic
};

/// kinetic + potential + dissipated = kinetic and potential at the start + work + correction
struct Ledger {
  double kinetic = 0, potential = 0;  // [J] gravity and springs
  double dissipated_impacts = 0;      // [J] by impacts
  double dissipated_dampers = 0;      // [J] by dampers
  double dissipated_slip = 0;         // [J] by friction between impacts
  double work = 0;                    // [J] of loads, of prescribed motion and of moving walls
  double start = 0;                   // [J] kinetic + potential at the start
  double correction = 0;              // [J] potential gained where the scheme moved overlapping bodies apart

  double dissipated() const { return dissipated_impacts + dissipated_dampers + dissipated_slip; }
  double error() const { return kinetic + potential + dissipated() - start - work - correction; }
};

/// Who watches a run. States come at the recorded times, impacts when they happen.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void state(const Model& /*model*/, const State& /*state*/, const Ledger& /*ledger*/) {}
  virtual void impact(const Model& /*model*/, const ImpactEvent& /*event*/) {}
  virtual void progress(double /*t*/, long /*impacts*/) {}
};

}  // namespace carom::simulate

namespace carom {
using simulate::ImpactEvent;
using simulate::Ledger;
using simulate::Observer;
}  // namespace carom

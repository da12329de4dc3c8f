#pragma once

#include <vector>

#include "carom/base/contact_mode.h"
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

/// The force in a closed contact at a recorded time.
struct ContactForce {
  PartPair parts;
  Vector3 point = Vector3::Zero(), normal = Vector3::Zero();  // in the world; the normal from a to b
  double force = 0;                                           // [N] normal, pressing
  Vector3 tangential = Vector3::Zero();                       // [N] on body b
  Vector3 slip = Vector3::Zero();                             // [m/s] of b over a
  double indentation = 0;                                     // [m]
  ContactMode mode = ContactMode::closed;
};

/// One contact from its touch to its opening.
struct ContactClosure {
  PartPair parts;
  double begin = 0, end = 0;             // [s]
  double peak_force = 0, peak_time = 0;  // [N], [s]
  double deepest = 0;                    // [m]
  double impulse = 0;                    // [N s] normal
  double approach = 0, departure = 0;    // [m/s] normal speeds
  double dissipated = 0;                 // [J]
};

/// kinetic + potential + stored + dissipated = kinetic and potential at the start + work + correction
struct Ledger {
  double kinetic = 0, potential = 0;  // [J] gravity and springs
  double stored = 0;                  // [J] in contacts that are indented
  double dissipated_impacts = 0;      // [J] by impacts, or in the dampers and loops of contact forces
  double dissipated_dampers = 0;      // [J] by dampers
  double dissipated_slip = 0;         // [J] by friction between impacts
  double work = 0;                    // [J] of loads, of prescribed motion and of moving walls
  double start = 0;                   // [J] kinetic + potential at the start
  double correction = 0;              // [J] potential gained where the scheme moved overlapping bodies apart

  double dissipated() const { return dissipated_impacts + dissipated_dampers + dissipated_slip; }
  double error() const { return kinetic + potential + stored + dissipated() - start - work - correction; }
};

/// Who watches a run. States come at the recorded times, impacts when they happen.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void state(const Model& /*model*/, const State& /*state*/, const Ledger& /*ledger*/) {}
  virtual void impact(const Model& /*model*/, const ImpactEvent& /*event*/) {}
  virtual void contacts(const Model& /*model*/, double /*t*/, const std::vector<ContactForce>& /*forces*/) {}
  virtual void closure(const Model& /*model*/, const ContactClosure& /*closure*/) {}
  virtual void progress(double /*t*/, long /*impacts*/) {}
};

}  // namespace carom::simulate

namespace carom {
using simulate::ContactClosure;
using simulate::ContactForce;
using simulate::ImpactEvent;
using simulate::Ledger;
using simulate::Observer;
}  // namespace carom

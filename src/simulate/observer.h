#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/contact_mode.h"
#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"
#include "carom/laws/all.h"
#include "carom/model/contact_pair.h"

namespace carom::simulate {

/// One impact of a run.
struct ImpactEvent {
  double t = 0;
  const State* before = nullptr;           // as far as the bodies involved are concerned; see all_before
  const ImpactProblem* problem = nullptr;  // of the bodies involved only
  const ImpactOutcome* outcome = nullptr;
  std::vector<ContactPair> pairs;  // (m) one per contact of the problem
  std::vector<int> bodies;         // free bodies involved, ascending
  std::vector<std::size_t> began;  // contacts that closed with it, where hundreds of others lasted; empty: all count
  Vector u_before, u_after;        // the velocities of these bodies in the world, one after another as in State
  bool at_rest = false;            // too slow to bounce: taken as plastic
  const ImpactLaw* law = nullptr;  // of its contacts, where they have one of their own; else it is the run's
  const std::function<State(const State&)>* completed = nullptr;  // brings the bodies up to date that fly meanwhile

  /// The contacts that lists of an impact name, and among `bodies` the places of those that they touch.
  std::vector<std::size_t> told_contacts() const;
  std::vector<std::size_t> told_bodies() const;

  /// Every body right before the impact. Costs time in proportion to the number of all bodies.
  State all_before() const { return completed != nullptr ? (*completed)(*before) : *before; }
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
  Claim unique = true;  // false: rigid contacts could share the load in other ways as well
};

/// What a joint does at a recorded time: force and torque on body b at its anchor, in the world.
struct JointForce {
  int joint = -1;                                             // of the description
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();  // [N], [N m]
  Claim unique = true;                                        // false: redundant joints could share it in other ways
};

/// Something that happened between recorded times and is no impact.
struct RunEvent {
  enum class Kind { closes, opens, slips, sticks, accumulation, approximate, stop };
  friend constexpr std::array<std::string_view, 7> words_of(Kind) {
    return {"closes", "opens", "slips", "sticks", "accumulation", "approximate", "stop"};
  }
  double t = 0;
  Kind kind = Kind::closes;
  std::string what;    // the contact, or those concerned
  std::string detail;  // for people
};

/// One contact from its touch to its opening, or to the end of the run.
struct ContactClosure {
  PartPair parts;
  double begin = 0, end = 0;             // [s]
  double peak_force = 0, peak_time = 0;  // [N], [s]
  double deepest = 0;                    // [m]
  double impulse = 0;                    // [N s] normal
  double approach = 0, departure = 0;    // [m/s] normal speeds
  double dissipated = 0;                 // [J]
  bool opened = true;                    // false: it lasts where the run ends, and this is what there was until then
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

/// Who watches a run. States come at the recorded times, after each the forces of closed contacts and of joints;
/// impacts and events when they happen.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual bool wants_forces() const { return false; }  // else neither forces nor events are told
  virtual bool wants_impacts() const { return true; }  // else those of crowds are not told, which saves forming them
  virtual bool wants_problems() const { return wants_impacts(); }  // else problems of crowds come without M, W and J
  virtual void state(const Model& /*model*/, const State& /*state*/, const Ledger& /*ledger*/) {}
  virtual void impact(const Model& /*model*/, const ImpactEvent& /*event*/) {}
  virtual void contacts(const Model& /*model*/, double /*t*/, const std::vector<ContactForce>& /*forces*/) {}
  virtual void joints(const Model& /*model*/, double /*t*/, const std::vector<JointForce>& /*forces*/) {}
  virtual void event(const Model& /*model*/, const RunEvent& /*event*/) {}
  virtual void closure(const Model& /*model*/, const ContactClosure& /*closure*/) {}
  virtual void progress(double /*t*/, long /*impacts*/) {}

  /// Whether anybody keeps checkpoints: all that the run knows at a time t [s] between two of its steps, in bytes, from
  /// which another goes on with the same digits (RunOptions::inner). One is told where the run's end begins to matter,
  /// and whenever one is wanted.
  virtual bool keeps_checkpoints() const { return false; }
  virtual bool wants_checkpoint() { return false; }  // now
  virtual void checkpoint(double /*t*/, const std::string& /*inner*/) {}
};

/// Nobody.
struct NoObserver : Observer {
  bool wants_impacts() const override { return false; }
};

}  // namespace carom::simulate

namespace carom {
using simulate::ContactClosure;
using simulate::ContactForce;
using simulate::ImpactEvent;
using simulate::JointForce;
using simulate::Ledger;
using simulate::NoObserver;
using simulate::Observer;
using simulate::RunEvent;
}  // namespace carom

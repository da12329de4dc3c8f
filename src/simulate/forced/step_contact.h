#pragma once

#include <vector>

#include "carom/base/contact_mode.h"
#include "carom/forces/all.h"
#include "carom/forces/rolling.h"
#include "carom/laws/compliant.h"
#include "carom/model/contact_pair.h"
#include "carom/simulate/archive.h"

namespace carom::simulate {

/// A contact with forces, in steps of fixed length.
struct StepContact {
  int a = -1, b = -1, part_a = 0, part_b = 0;
  forces::Normal normal;
  forces::Friction friction;
  forces::RollingResistance rolling, torsion;
  forces::Memory memory;
  double mass = 0, mass_along = 0;  // [kg] that moves along the normal, and across it
  bool closed = false;
  double rate = 0;                   // [m/s] of the indentation at the last step
  double force = 0;                  // [N] normal
  double k_t = 0;                    // [N/m] of that spring, at the last step
  Vector3 point = Vector3::Zero();   // [m] in the world
  Vector3 n = Vector3::Zero();       // from a to b
  Vector3 T = Vector3::Zero();       // [N] tangential, on b
  Vector3 slip = Vector3::Zero();    // [m/s] of b over a
  Vector3 spring = Vector3::Zero();  // [N] of T, what is elastic
  Vector3 moment = Vector3::Zero();  // [N m] on b, of rolling and of torsion together
  Vector3 twist = Vector3::Zero();   // [N m] of the moment, what is elastic
  double indentation = 0;            // [m]
  ContactMode mode = ContactMode::open;
  double begin = 0, peak = 0, peak_time = 0, impulse = 0, approach = 0;  // of this closure: [s], [N], [s], [N s], [m/s]
  double deepest = 0;                                                    // [m] in this closure
  double lost = 0;                                                       // [J] work done on it in this closure

  bool has_friction() const;
  bool resists_rolling() const { return rolling.mu_r > 0 || torsion.mu_r > 0; }
  double stored() const;  // [J] normal and tangential
  double stored_along() const;
  /// Its restitution, where that is a function, stays what it is; see `ask`.
  void archived(Archive& archive);
  void ask(const RestitutionFunction* e_of);
  /// (2 / h)^2 [1/s^2] below which steps are unstable: of its stiffness over its mass.
  double stiffness_over_mass() const;
};

/// What the contacts of a run took, summed over steps.
struct ContactWork {
  double normal = 0, along = 0;              // [J] done on contacts by their normal and tangential motion
  double walls = 0, loads = 0, dampers = 0;  // [J] done by moving walls and by loads; taken by dampers
};

/// What was done half a kick after `a`, if a full one leads to b.
inline ContactWork between(const ContactWork& a, const ContactWork& b) {
  return {0.5 * (a.normal + b.normal), 0.5 * (a.along + b.along), 0.5 * (a.walls + b.walls), 0.5 * (a.loads + b.loads),
          0.5 * (a.dampers + b.dampers)};
}

/// Made from what holds between two bodies. `mass` 0: nothing moves there.
StepContact step_contact(const Contact& contact, const Compliant& law, double mass, double mass_along);

/// How a contact is at a step: its indentation and rate, the slip of b over a in the middle of the step that leads here
/// and at its end, and the angular velocity of b less a, likewise.
struct ContactMotion {
  double d = 0, rate = 0;
  Vector3 n = Vector3::Zero(), slip = Vector3::Zero(), slip_now = Vector3::Zero();
  Vector3 spin = Vector3::Zero(), spin_now = Vector3::Zero();
};

/// Updates the contact's forces for a step of length h at time t. False: it is open. `least_speed` [m/s]: damping that
/// refers to the speed of approach takes no slower one.
bool press(StepContact& contact, const ContactMotion& motion, double t, double h, double least_speed,
           ContactWork& work);

}  // namespace carom::simulate

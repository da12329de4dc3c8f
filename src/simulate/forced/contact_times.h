#pragma once

#include <string>

#include "carom/laws/compliant.h"
#include "carom/model/contact_rules.h"

namespace carom::simulate {

/// A contact of two parts that may touch, before anything moves; their stiffness must be known. Where shapes are no
/// balls Hertz's stiffness is that of balls of their size.
struct TypicalContact {
  Contact contact;
  double mass = 0;  // [kg] of both, moving towards each other
};
TypicalContact typical_contact(const Model& model, const ContactRules& rules, const PartPair& parts);

/// The acceleration [m/s^2] of the fastest point of all bodies without contacts.
double fastest_gain(const Model& model, const State& state);

/// The radius [m] of the ball on a plane whose curvature two parts have relative to each other, if they were balls of
/// their size: what resists rolling refers to it.
double rolling_radius(const Model& model, const PartPair& parts);

/// The stiffness [N/m^eta] of a pair whose balls have the curvature 1 / R: what is given, else Hertz's.
double ball_stiffness(const PairProperties& known, double R);

/// How fast contacts of a model may be: estimates before anything moves.
struct ContactTimes {
  double speed = 0;              // [m/s] of approach: the fastest at the start, and what gravity, loads and walls add
  double acceleration = 0;       // [m/s^2] of the fastest point, without contacts
  double shortest = 0;           // [s] the shortest contact at that speed; infinite if nothing can touch
  double stable = 0;             // [s] longer steps are unstable at its deepest indentation
  int body_a = -1, body_b = -1;  // whose contact that is
};
/// `duration` [s]: how far ahead loads and walls are looked at.
ContactTimes contact_times(const Model& model, const ContactRules& rules, const Compliant& law, const State& start,
                           double duration);

}  // namespace carom::simulate

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

/// How fast contacts of a model may be: estimates before anything moves.
struct ContactTimes {
  double speed = 0;              // [m/s] of approach: the fastest at the start, and what gravity adds
  double shortest = 0;           // [s] the shortest contact at that speed; infinite if nothing can touch
  double stable = 0;             // [s] longer steps are unstable at its deepest indentation
  int body_a = -1, body_b = -1;  // whose contact that is
};
ContactTimes contact_times(const Model& model, const ContactRules& rules, const Compliant& law, const State& start);

}  // namespace carom::simulate

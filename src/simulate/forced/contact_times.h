#pragma once

#include <string>

#include "carom/laws/compliant.h"
#include "carom/model/contact_rules.h"

namespace carom::simulate {

/// How fast contacts of a model may be: estimates before anything moves.
struct ContactTimes {
  double speed = 0;              // [m/s] of approach: the fastest at the start, and what gravity adds
  double shortest = 0;           // [s] the shortest contact at that speed; infinite if nothing can touch
  double stable = 0;             // [s] longer steps are unstable at its deepest indentation
  int body_a = -1, body_b = -1;  // whose contact that is
};
ContactTimes contact_times(const Model& model, const ContactRules& rules, const Compliant& law, const State& start);

}  // namespace carom::simulate

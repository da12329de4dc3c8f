#pragma once

#include <string>
#include <vector>

#include "carom/simulate/closed_contacts.h"
#include "carom/simulate/observer.h"

namespace carom::simulate {

/// What happened to a contact between one mode and the next.
struct ModeEvent {
  RunEvent::Kind kind = RunEvent::Kind::opens;
  PartPair parts;
  std::string detail;  // where it is, and how it moves if it has just closed
};

/// Contacts that opened, then those that closed or began to slip or stick. `state` is that of `now`.
std::vector<ModeEvent> mode_events(const Model& model, const State& state, const Mode& before, const Mode& now);

}  // namespace carom::simulate

#pragma once

#include "carom/base/contact_mode.h"
#include "carom/forces/memory.h"

namespace carom::forces {

enum class Phase : char {
  open,
  pressing,
  slack,  // indented, but its force would have to pull
  held,   // a dent that gives nothing back, pressed by others: it stays as deep as it is
};

/// One contact while it is followed.
struct ContactState {
  Phase phase = Phase::open;
  ContactMode mode = ContactMode::open;  // open: without force or without friction
  Memory memory;
  bool touched = false;
  bool growing = true;         // its indentation
  double heading[2] = {0, 0};  // direction of a slip that is kept; in the plane its sign
  long compressions = 0, touches = 0;
  double peak = 0, peak_time = 0;       // [N], [s] of the normal force
  double deepest = 0;                   // [m] where its indentation turned
  double compressed = 0, returned = 0;  // [J] work done on the contact while it was compressed; by it while it parted
  double counted = 0;                   // [J] of the work, what has been counted there
  double last_force = 0;                // [s] when it had one
};

}  // namespace carom::forces

#pragma once

namespace carom::forces {

/// What a contact remembers while it is followed. All zero before its first touch.
struct Memory {
  double v0 = 0;        // [m/s] the approach speed that damping refers to
  double damping = 0;   // of the force, in its own unit; found at the touch from e, mass and v0
  double d_max = 0;     // [m] where its loading turned
  double d_p = 0;       // [m] dent: where it lets go, and touches again
  bool loading = true;  // on the loading curve; else on the unloading one, both ways
};

}  // namespace carom::forces

#pragma once

#include "carom/model/model.h"

namespace carom::simulate {

/// Lengths, speeds and forces of a scene, against which errors are measured. The speed grows with what is seen; at the
/// start it is that of a fall by the length, or of what moves or is driven. The duration counts only where there is
/// nothing of that, so that a run does not depend on where it ends.
struct Scales {
  double length = 0;  // [m] the largest free body, or joint
  double speed = 0;   // [m/s] the fastest so far
  double mass = 0;    // [kg] the heaviest free body

  Scales(const Model& model, const State& state, double duration);
  void see(const Model& model, const State& state);

  double time() const { return length / speed; }                  // [s]
  double force() const { return mass * speed * speed / length; }  // [N]
  double energy() const { return mass * speed * speed; }          // [J]
};

}  // namespace carom::simulate

#pragma once

#include "carom/forces/memory.h"
#include "carom/forces/power_curve.h"

namespace carom::forces {

/// Loading along F(d), unloading and reloading along F((d - d_p) / e^2) with the dent d_p = (1 - e^2) d_max, which
/// meets the loading curve at d_max and gives back e^2 of its energy, whatever F is.
struct DentedCurve {
  PowerCurve loading;
  double e = 1;

  /// How much faster unloading is than loading, 1 / e^2; 0 where it gives nothing back.
  double steepness(const Memory& memory) const {
    return memory.d_max > memory.d_p ? memory.d_max / (memory.d_max - memory.d_p) : 0;
  }
  /// The indentation of loading that has the force of unloading at d.
  double unloaded(double d, const Memory& memory) const {
    return d > memory.d_p ? (d - memory.d_p) * steepness(memory) : 0;
  }
  double force(double d, const Memory& memory) const { return loading.force(memory.loading ? d : unloaded(d, memory)); }
  double stored(double d, const Memory& memory) const {
    return e * e * loading.energy(memory.loading ? d : unloaded(d, memory));
  }
  double slope(double d, const Memory& memory) const {
    return memory.loading ? loading.slope(d) : steepness(memory) * loading.slope(unloaded(d, memory));
  }
  double stiffening(double d, const Memory& memory) const {
    return memory.loading ? loading.stiffening(d) : steepness(memory) * loading.stiffening(unloaded(d, memory));
  }
  Memory turn(double d, Memory memory) const {
    if (!memory.loading) return memory;
    memory.loading = false;
    memory.d_max = d;
    memory.d_p = (1 - e * e) * d;
    return memory;
  }
};

}  // namespace carom::forces

#pragma once

#include "carom/forces/memory.h"
#include "carom/forces/power_curve.h"

namespace carom::forces {

/// Loading along k d^eta, unloading and reloading along F_max ((d - d_p) / (d_max - d_p))^eta with the dent
/// d_p = (1 - e^2) d_max, which gives back e^2 of the energy for every eta.
struct DentedCurve {
  PowerCurve loading;
  double e = 1;

  /// The curve of unloading as a power of d - d_p.
  PowerCurve unloading(const Memory& memory) const {
    const double width = memory.d_max - memory.d_p;
    return {width > 0 ? loading.force(memory.d_max) / std::pow(width, loading.eta) : 0, loading.eta};
  }
  double force(double d, const Memory& memory) const {
    if (memory.loading) return loading.force(d);
    const double width = memory.d_max - memory.d_p;
    if (d <= memory.d_p || width <= 0) return 0;
    return PowerCurve{loading.force(memory.d_max), loading.eta}.force((d - memory.d_p) / width);
  }
  double stored(double d, const Memory& memory) const {
    return memory.loading ? e * e * loading.energy(d) : force(d, memory) * (d - memory.d_p) / (loading.eta + 1);
  }
  double slope(double d, const Memory& memory) const {
    if (memory.loading) return loading.slope(d);
    return d > memory.d_p ? loading.eta * force(d, memory) / (d - memory.d_p) : unloading(memory).slope(0);
  }
  double stiffening(double d, const Memory& memory) const {
    return loading.stiffening(memory.loading ? d : d - memory.d_p);
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

#include "carom/forces/rolling.h"

#include <algorithm>

namespace carom::forces {

double RollingResistance::after(double moment, double angle, double normal_force) const {
  const double limit = most(normal_force);
  return std::clamp(moment - k_r * angle, -limit, limit);
}

}  // namespace carom::forces

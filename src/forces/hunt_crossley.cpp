#include "carom/forces/hunt_crossley.h"

namespace carom::forces {

double HuntCrossley::ratio(double e) {
  return 1.5 * (1 - e);
}

}  // namespace carom::forces

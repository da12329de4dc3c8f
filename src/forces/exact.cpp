#include "carom/forces/exact.h"

namespace carom::forces {

double Exact::ratio(double e) {
  return ratio_of_restitution(e);
}

}  // namespace carom::forces

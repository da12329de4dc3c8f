#include "carom/forces/lee_wang.h"

namespace carom::forces {

double LeeWang::ratio(double e) {
  return 0.75 * (1 - e);
}

}  // namespace carom::forces

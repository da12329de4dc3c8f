#include "carom/forces/lankarani_nikravesh.h"

namespace carom::forces {

double LankaraniNikravesh::ratio(double e) {
  return 0.75 * (1 - e * e);
}

}  // namespace carom::forces

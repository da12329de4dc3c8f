#include "carom/forces/bi_stiffness.h"

namespace carom::forces {

BiStiffness::BiStiffness(const Contact& contact) : k(contact.k / (1 + contact.flexibility * contact.k)), e(contact.e) {}

}  // namespace carom::forces

#include "carom/forces/bi_stiffness.h"

namespace carom::forces {

BiStiffness::BiStiffness(const Contact& contact)
    : k(contact.k / (1 + contact.flexibility * contact.k)), e(contact.e), e_of(contact.e_of.get()) {}

}  // namespace carom::forces

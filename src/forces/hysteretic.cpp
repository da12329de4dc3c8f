#include "carom/forces/hysteretic.h"

namespace carom::forces {

Hysteretic::Hysteretic(const Contact& contact)
    : k(contact.k), eta(contact.eta), e(contact.e), flexibility(contact.flexibility), e_of(contact.e_of.get()) {}

}  // namespace carom::forces

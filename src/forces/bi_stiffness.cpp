#include "carom/forces/bi_stiffness.h"

#include "carom/forces/viscous.h"

namespace carom::forces {

BiStiffness::BiStiffness(const Contact& contact) : k(contact.k), e(contact.e) {}

std::optional<Fault> BiStiffness::fault(double /*mass*/) const {
  return fault_of_restitution(e, name);
}

}  // namespace carom::forces

#include "carom/forces/hysteretic.h"

#include "carom/forces/viscous.h"

namespace carom::forces {

Hysteretic::Hysteretic(const Contact& contact) : k(contact.k), eta(contact.eta), e(contact.e) {}

std::optional<Fault> Hysteretic::fault(double /*mass*/) const {
  return fault_of_restitution(e, name);
}

}  // namespace carom::forces

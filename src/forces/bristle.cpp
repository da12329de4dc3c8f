#include "carom/forces/bristle.h"

#include <fmt/format.h>

namespace carom::forces {

Bristle::Bristle(const Contact& contact)
    : mu(contact.mu), mu_s(contact.static_friction()), k_t(contact.k_t ? *contact.k_t : 0) {}

std::optional<Fault> Bristle::fault() const {
  if (k_t > 0) return std::nullopt;
  return Fault{"k_t", "is not given; bristle friction needs a tangential stiffness k_t > 0"};
}

}  // namespace carom::forces

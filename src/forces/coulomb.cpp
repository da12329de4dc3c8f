#include "carom/forces/coulomb.h"

#include <fmt/format.h>

namespace carom::forces {

Coulomb::Coulomb(const Contact& contact) : mu(contact.mu), mu_s(contact.static_friction()) {}

std::optional<Fault> Coulomb::fault() const {
  return std::nullopt;
}

}  // namespace carom::forces

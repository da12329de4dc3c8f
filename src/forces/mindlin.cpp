#include "carom/forces/mindlin.h"

#include <fmt/format.h>

namespace carom::forces {

Mindlin::Mindlin(const Contact& contact) : mu(contact.mu), mu_s(contact.static_friction()) {}

std::optional<Fault> Mindlin::fault() const {
  if (nu >= 0 && nu <= 0.5) return std::nullopt;
  return Fault{"nu", fmt::format("{} is outside [0, 0.5]; Poisson's ratio of an elastic body is not", nu)};
}

}  // namespace carom::forces

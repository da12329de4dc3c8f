#include "carom/forces/regularised.h"

#include <fmt/format.h>

namespace carom::forces {

Regularised::Regularised(const Contact& contact) : mu(contact.mu), mu_s(contact.static_friction()) {}

std::optional<Fault> Regularised::fault() const {
  if (v_s > 0 && std::isfinite(v_s)) return std::nullopt;
  return Fault{
      "v_s", fmt::format("{} is not positive; regularised friction needs a speed v_s > 0 below which it creeps", v_s)};
}

}  // namespace carom::forces

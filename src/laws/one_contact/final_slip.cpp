#include "carom/laws/one_contact/final_slip.h"

#include <cmath>

#include "carom/laws/one_contact/friction_disc.h"
#include "carom/numerics/root.h"

namespace carom::one_contact {
namespace {

constexpr double kSingularMobility = 1e-13;  // of the mobility of a contact that sticks, relative to B_nn

/// The impulse that stops slip, if it lies in the friction cone.
std::optional<Eigen::Vector3d> sticking(const ClosingContact& contact) {
  const Eigen::Vector2d held = pseudo_solve(contact.B_tt(), contact.B_tn());
  const Eigen::Vector2d stopped = pseudo_solve(contact.B_tt(), contact.c_t());
  const double mobility = contact.B_nn() - contact.B_tn().dot(held);
  if (!(mobility > kSingularMobility * contact.B_nn())) return std::nullopt;
  const double P_n = (contact.rebound() - contact.c_n() + contact.B_tn().dot(stopped)) / mobility;
  const Eigen::Vector2d P_t = -stopped - held * P_n;
  const bool stops = (contact.c_t() - contact.B_tt() * stopped).norm() <= kSingularMobility * contact.c_t().norm();
  if (!stops || !(P_n >= 0 && P_t.norm() <= contact.mu * P_n)) return std::nullopt;
  return Eigen::Vector3d(P_n, P_t[0], P_t[1]);
}

}  // namespace

std::optional<FinalSlip> impulse_of_final_slip(const ClosingContact& contact) {
  constexpr int kDoublings = 40;  // beyond that the contact is wedged to all digits
  if (const std::optional<Eigen::Vector3d> P = sticking(contact)) return FinalSlip{*P, true};
  const auto friction = [&](double P_n) {  // against the slip that P_n and it leave
    return friction_on_disc(contact.B_tt(), contact.c_t() + contact.B_tn() * P_n, contact.mu * P_n).P;
  };
  const auto excess = [&](double P_n) {
    return contact.c_n() - contact.rebound() + contact.B_nn() * P_n + contact.B_tn().dot(friction(P_n));
  };
  if (!(contact.B_nn() > 0)) return std::nullopt;
  double most = (contact.rebound() - contact.c_n()) / contact.B_nn();
  for (int i = 0; excess(most) < 0; ++i, most *= 2)
    if (i == kDoublings) return std::nullopt;
  const double P_n = numerics::bracketed_zero(excess, 0, most);
  const Eigen::Vector2d P_t = friction(P_n);
  return FinalSlip{Eigen::Vector3d(P_n, P_t[0], P_t[1]), false};
}

}  // namespace carom::one_contact

#pragma once

#include <limits>

#include "carom/laws/one_contact/closing_contact.h"
#include "carom/laws/one_contact/final_slip.h"
#include "carom/laws/one_contact/friction_disc.h"

namespace carom::one_contact {

/// The slip before the impact, and the constant impulse ratios P_t / P_n that laws without a path make of it.
class InitialSlip {
 public:
  explicit InitialSlip(const ClosingContact& contact) : contact_(contact), slips_(!contact.slip.isZero(0)) {
    if (slips_)
      direction_ = contact.slip.normalized();
    else if (contact.c_t().isZero(0))
      start_ = friction_on_disc(contact.B_tt(), contact.B_tn(), contact.mu);
    else
      start_after_moments();
    speed_ = contact.c_t().dot(direction_);
  }

  bool slips() const { return slips_; }

  /// Friction of the given size against the slip. Without slip, Coulomb's friction with the contact's mu: it sticks, or
  /// slips in the direction it starts in.
  Eigen::Vector2d ratio(double size) const { return slips() ? Eigen::Vector2d(-size * direction_) : start_.P; }

  /// The size at which the slip along its first direction has just stopped in the end; infinite if none does, 0 where
  /// it reverses without friction.
  double critical() const {
    const double b = contact_.B_tn().dot(direction_), T = direction_.dot(contact_.B_tt() * direction_);
    const double gain = contact_.rebound() - contact_.c_n();
    const double lasts = speed_ * contact_.B_nn() + b * gain, stops = speed_ * b + T * gain;
    if (lasts <= 0) return 0;
    return stops > 0 ? lasts / stops : std::numeric_limits<double>::infinity();
  }

  std::string_view mode() const { return !slips() && start_.sticks ? "sticking" : "sliding"; }

 private:
  /// Moments alone make it slip: Coulomb's friction against what slip is left.
  void start_after_moments() {
    const std::optional<FinalSlip> end = impulse_of_final_slip(contact_);
    start_.sticks = end && end->sticks;
    start_.P.setConstant(std::numeric_limits<double>::quiet_NaN());  // no impulse exists
    if (end) start_.P = end->P.tail<2>() / end->P[0];
  }

  const ClosingContact& contact_;
  bool slips_;
  double speed_ = 0;  // of the slip along its first direction, moments included
  Eigen::Vector2d direction_ = Eigen::Vector2d::Zero();
  FrictionDisc start_{Eigen::Vector2d::Zero(), false};
};

}  // namespace carom::one_contact

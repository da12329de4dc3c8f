#pragma once

#include <Eigen/Core>
#include <functional>

#include "carom/laws/one_contact/closing_contact.h"

namespace carom::one_contact {

/// Where an impact at one contact has got to.
struct SlipState {
  Eigen::Vector3d P = Eigen::Vector3d::Zero();  // impulse up to now [kg m/s]
  Eigen::Vector3d c = Eigen::Vector3d::Zero();  // velocity now [m/s]
  double work = 0;                              // of the normal impulse up to now, the integral of c_n dP_n [J]
  double friction_work = 0;                     // of the tangential impulse, c_t . dP_t [J]

  double slip() const { return c.tail<2>().norm(); }
  Eigen::Vector2d direction() const { return c.tail<2>() / slip(); }
};

/// What a phase of the impact ends at: a quantity of the state that rises to a value.
struct SlipGoal {
  enum class Of { velocity, impulse, work };
  Of quantity = Of::velocity;
  double value = 0;

  double missing(const SlipState& state) const;
  /// The normal impulse from here to the goal while dc/dP_n = rate is constant; infinite if it is never reached.
  double distance(const SlipState& state, const Eigen::Vector3d& rate) const;
};

/// Moves on by the normal impulse x while dP/dP_n = (1, friction) is constant and so is dc/dP_n = rate.
void move_straight(SlipState& state, const Eigen::Vector2d& friction, const Eigen::Vector3d& rate, double x);

/// Slip in two directions under Coulomb friction,
///   dc_t/dP_n = B_tn - mu B_tt t,   t = c_t / |c_t|,
/// followed in the slip angle: with dP_n = |c_t| ds the direction and ln |c_t| are functions of the direction alone,
/// d(angle)/ds = h, d(ln |c_t|)/ds = g, so slip that stops does so at s = infinity and nothing is singular on the way.
/// The direction runs monotonically to one where h = 0; near enough to it, or where so little slip is left that its
/// direction does not matter, the curve is straight.
class SlipCurve {
 public:
  /// `precision` is the relative error of one step, and what taking the curve for straight may cost.
  SlipCurve(const ClosingContact& contact, double precision);

  enum class End { goal, straight, unfinished };

  /// Follows the curve from `state` to the goal, or to where it is straight for all that the precision can tell.
  /// `passed` is called after every step.
  End follow(SlipState& state, const SlipGoal& goal, const std::function<void()>& passed);

  bool is_straight(const SlipState& state) const;

  long evaluations = 0, steps = 0;

 private:
  struct Angular;
  class Run;
  Angular at(double angle) const;
  void correct(SlipState& state, const SlipGoal& goal) const;

  const ClosingContact& contact_;
  double precision_;
  double B_, turning_;               // scales of B, and of h and g
  double speed_, normal_, impulse_;  // scales of the velocities, of c_n and of P
};

}  // namespace carom::one_contact

#include "carom/laws/one_contact/impact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/laws/one_contact/friction_disc.h"

namespace carom::one_contact {
namespace {

constexpr double kTogether = 1e-12;  // of two distances, relative: nearer events are one
constexpr double kSingular = 1e-13;  // of dc/dP_n, relative to its terms, and of c_n: below this friction holds it

/// One impact from its first touch to its end, a sequence of straight pieces and slip curves.
class Process {
 public:
  Process(const ClosingContact& contact, const OneContactOptions& options, double precision)
      : contact_(contact), options_(options), curve_(contact, precision) {
    state_.c = contact.c;
    pass();
  }

  OneContactImpact run() {
    if (state_.slip() > 0)
      motion_ = contact_.mu == 0 || curve_.is_straight(state_) ? Motion::straight : Motion::curved;
    else
      leave_zero_slip();
    started_sticking_ = motion_ == Motion::sticking;
    while (phase_ != Phase::over) motion_ == Motion::curved ? advance_along_curve() : advance_straight();
    impact_.end = state_;
    impact_.mode = mode();
    impact_.steps = curve_.steps;
    impact_.evaluations = curve_.evaluations;
    impact_.curved = curve_.evaluations > 0;
    return std::move(impact_);
  }

 private:
  enum class Motion { straight, curved, sticking };
  enum class Phase { compression, restitution, closing_again, over };

  std::string mode() const {
    if (impact_.jammed) return "jam";
    if (contact_.tangents == 0) return "frictionless";
    if (started_sticking_) return "sticking(initial)";
    if (stopped_in_ == Phase::over) return "sliding";
    return fmt::format("{}-{}", stopped_in_ == Phase::compression ? "C" : "R",
                       motion_ == Motion::sticking ? "sticking" : "reversed");
  }

  void pass() {
    if (options_.record) impact_.states.push_back(state_);
  }

  /// What a contact without slip does next.
  void leave_zero_slip() {
    FrictionDisc next = friction_on_disc(contact_.B_tt(), contact_.B_tn(), contact_.mu_s);
    if (!next.sticks) next = friction_on_disc(contact_.B_tt(), contact_.B_tn(), contact_.mu);
    motion_ = next.sticks ? Motion::sticking : Motion::straight;
    friction_ = next.P;
  }

  void advance_along_curve() {
    const SlipCurve::End end = curve_.follow(state_, goal_, [this] { pass(); });
    if (end == SlipCurve::End::goal) return reach_goal();
    motion_ = Motion::straight;
    if (end == SlipCurve::End::unfinished) {
      impact_.unfinished = true;
      phase_ = Phase::over;
    }
  }

  /// dc/dP_n, cleared of rounding; sticking slip stays 0.
  Eigen::Vector3d rate() const {
    const Eigen::Vector3d press(1, friction_[0], friction_[1]);
    Eigen::Vector3d result = contact_.B * press;
    const Eigen::Vector3d terms = contact_.B.cwiseAbs() * press.cwiseAbs();
    for (int i = 0; i < 3; ++i)
      if (std::abs(result[i]) <= kSingular * terms[i]) result[i] = 0;
    if (motion_ == Motion::sticking) result.tail<2>().setZero();
    return result;
  }

  double distance_to_stop(const Eigen::Vector3d& rate) const {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const double slip = state_.slip();
    if (motion_ == Motion::sticking || contact_.mu == 0 || slip == 0) return kNever;
    const double falls = -state_.direction().dot(rate.tail<2>());
    return falls > 0 ? slip / falls : kNever;
  }

  void advance_straight() {
    if (motion_ == Motion::straight && state_.slip() > 0) friction_ = -contact_.mu * state_.direction();
    const Eigen::Vector3d dc = rate();
    if (phase_ == Phase::restitution && motion_ == Motion::sticking && dc[0] == 0) jam();
    const double to_goal = goal_.distance(state_, dc), to_stop = distance_to_stop(dc);
    const double next = std::min(to_goal, to_stop);
    if (!std::isfinite(next)) return get_stuck();
    move_straight(state_, friction_, dc, next);
    const bool at_goal = to_goal <= next * (1 + kTogether);
    if (to_stop <= next * (1 + kTogether)) stop_slip();
    if (at_goal)
      reach_goal();
    else
      pass();
  }

  void stop_slip() {
    state_.P.tail<2>() -= pseudo_solve(contact_.B_tt(), state_.c.tail<2>());  // what rounding and tolerance leave
    state_.c.tail<2>().setZero();
    if (stopped_in_ == Phase::over) stopped_in_ = phase_;
    ++impact_.events;
    leave_zero_slip();
  }

  void reach_goal() {
    ++impact_.events;
    if (phase_ == Phase::compression) {
      state_.c[0] = 0;
      impact_.compressed = state_;
      phase_ = Phase::restitution;
      goal_ = end_of_restitution();
      pass();
      if (goal_.missing(state_) <= 0) phase_ = Phase::over;
      return;
    }
    pass();
    if (state_.c[0] < 0 && phase_ == Phase::restitution) {  // swerving slip has closed it again
      phase_ = Phase::closing_again;
      goal_ = {SlipGoal::Of::velocity, 0};
      return;
    }
    phase_ = Phase::over;
  }

  SlipGoal end_of_restitution() {
    const double v = std::max(0.0, -contact_.c_minus[0]);
    const double e = contact_.e_of != nullptr ? contact_.e_of->at(v, std::max(0.0, -state_.work)) : contact_.e;
    impact_.e = e;
    switch (options_.restitution) {
      case Restitution::newton:
        return {SlipGoal::Of::velocity, e * v};
      case Restitution::poisson:
        return {SlipGoal::Of::impulse, (1 + e) * state_.P[0]};
      case Restitution::stronge:
        break;
    }
    return {SlipGoal::Of::work, state_.work + std::max(0.0, -e * e * state_.work - options_.wave_loss)};
  }

  void jam() {
    impact_.jammed = true;
    if (std::abs(state_.c[0]) <= kSingular * contact_.c.norm()) state_.c[0] = 0;
  }

  /// Nothing moves any more: a jam in restitution, unless the contact still closes. Newton's law says how fast it parts
  /// all the same: with the normal impulse alone.
  void get_stuck() {
    if (phase_ != Phase::restitution || state_.c[0] < 0) {
      impact_.wedged = true;
    } else if (options_.restitution == Restitution::newton) {
      const Eigen::Vector3d dc = contact_.B.col(0);
      if (const double rest = goal_.distance(state_, dc); std::isfinite(rest))
        move_straight(state_, Eigen::Vector2d::Zero(), dc, rest);
      pass();
    }
    phase_ = Phase::over;
  }

  const ClosingContact& contact_;
  const OneContactOptions& options_;
  SlipCurve curve_;
  Motion motion_ = Motion::straight;
  Phase phase_ = Phase::compression;
  Phase stopped_in_ = Phase::over;  // over: slip never stopped
  bool started_sticking_ = false;
  Eigen::Vector2d friction_ = Eigen::Vector2d::Zero();  // dP_t/dP_n on a straight piece
  SlipGoal goal_{SlipGoal::Of::velocity, 0};
  SlipState state_;
  OneContactImpact impact_;
};

}  // namespace

OneContactImpact integrate_impact(const ClosingContact& contact, const OneContactOptions& options) {
  constexpr double kFirst = 0.01;   // precision of the first run, of the tolerance
  constexpr double kFiner = 0.01;   // of each further one, of that before
  constexpr double kLeast = 1e-15;  // finer is rounding
  double precision = kFirst * options.tolerance;
  OneContactImpact impact = Process(contact, options, precision).run();
  while (impact.curved && !impact.unfinished && precision > kLeast) {
    precision = std::max(kLeast, kFiner * precision);
    OneContactImpact finer = Process(contact, options, precision).run();
    const Eigen::Vector3d change = finer.end.P - impact.end.P;
    finer.change = std::sqrt(std::max(0.0, change.dot(contact.B * change))) / options.speed;
    finer.evaluations += impact.evaluations;
    impact = std::move(finer);
    if (impact.change <= options.tolerance) break;
  }
  return impact;
}

}  // namespace carom::one_contact

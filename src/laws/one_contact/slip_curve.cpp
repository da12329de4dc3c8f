#include "carom/laws/one_contact/slip_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "carom/numerics/runge_kutta.h"

namespace carom::one_contact {
namespace {

using Stepper = numerics::RungeKutta<numerics::DormandPrince8>;
using Polynomial = numerics::Bernstein<Stepper::degree>;

constexpr double kParallel = 1e-15;   // of h, relative: below this the direction does not turn
constexpr double kCorrection = 1e-3;  // of an impulse, relative: more is no rounding of the interpolant
constexpr double kFirstStep = 0.1;
constexpr long kMostSteps = 20000;

/// The unknowns of the integration: angle, ln of slip and the impulses and their work since its start.
enum Unknown : Index { angle, log_slip, P_n, P_1, P_2, work, friction_work, unknowns };
using Unknowns = std::array<double, unknowns>;

Eigen::Vector2d unit(double at) {
  return {std::cos(at), std::sin(at)};
}

}  // namespace

double SlipGoal::missing(const SlipState& state) const {
  switch (quantity) {
    case Of::velocity:
      return value - state.c[0];
    case Of::impulse:
      return value - state.P[0];
    case Of::work:
      return value - state.work;
  }
  return 0;
}

double SlipGoal::distance(const SlipState& state, const Eigen::Vector3d& rate) const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const double rest = missing(state);
  if (quantity == Of::impulse) return std::max(0.0, rest);
  if (quantity == Of::velocity) return rate[0] > 0 ? std::max(0.0, rest / rate[0]) : kNever;
  if (rest <= 0) return 0;  // c_n x + 1/2 rate x^2 = rest
  const double root = state.c[0] * state.c[0] + 2 * rate[0] * rest;
  const double mean = root < 0 ? 0 : state.c[0] + std::sqrt(root);
  return mean > 0 ? 2 * rest / mean : kNever;
}

void move_straight(SlipState& state, const Eigen::Vector2d& friction, const Eigen::Vector3d& rate, double x) {
  state.work += x * (state.c[0] + 0.5 * x * rate[0]);
  state.friction_work += x * friction.dot(state.c.tail<2>() + 0.5 * x * rate.tail<2>());
  state.P[0] += x;
  state.P.tail<2>() += x * friction;
  state.c += x * rate;
}

/// The flow in one direction of slip t: dc_t/dP_n = g t + h t_perp, dc_n/dP_n = normal.
struct SlipCurve::Angular {
  Eigen::Vector2d t;
  double g = 0, h = 0, normal = 0;
  double dg = 0, dh = 0;  // by the angle
};

SlipCurve::SlipCurve(const ClosingContact& contact, double precision)
    : contact_(contact),
      precision_(precision),
      B_(contact.B.norm() * (1 + contact.mu)),
      turning_(contact.B_tn().norm() + contact.mu * contact.B_tt().norm()),
      speed_(contact.c.norm()),
      normal_(contact.c_n() != 0 ? std::abs(contact.c_n()) : speed_),
      impulse_(normal_ / B_) {}

SlipCurve::Angular SlipCurve::at(double angle) const {
  Angular flow;
  flow.t = unit(angle);
  const Eigen::Vector2d perp(-flow.t[1], flow.t[0]);
  const Eigen::Vector2d T_t = contact_.B_tt() * flow.t, b = contact_.B_tn();
  const double mu = contact_.mu, cross = mu * perp.dot(T_t);
  flow.g = flow.t.dot(b) - mu * flow.t.dot(T_t);
  flow.h = perp.dot(b) - cross;
  flow.normal = contact_.B_nn() - mu * b.dot(flow.t);
  flow.dg = flow.h - cross;
  flow.dh = -flow.g - mu * perp.dot(contact_.B_tt() * perp);
  return flow;
}

bool SlipCurve::is_straight(const SlipState& state) const {
  const Angular flow = at(std::atan2(state.c[2], state.c[1]));
  if (std::abs(flow.h) <= kParallel * turning_) return true;
  const double turn = flow.dh == 0 ? 1 : std::min(1.0, std::abs(flow.h / flow.dh));  // left to turn
  if (turn <= precision_) return true;
  if (flow.g >= 0) return false;
  // Slip that stops: what is left of it, if it went straight on, and what the turn changes in that.
  const double rest = state.slip() / -flow.g;
  return rest * B_ * std::min(1.0, turn * (1 + std::abs(flow.dg / flow.g))) <= precision_ * normal_;
}

/// One run of the integrator from a state to a goal.
class SlipCurve::Run {
 public:
  Run(SlipCurve& curve, const SlipState& start, const SlipGoal& goal)
      : curve_(curve), start_(start), goal_(goal), slip_(start.slip()), row_n_(curve.contact_.B.row(0)) {
    stepper_.resize(unknowns);
    y_[angle] = std::atan2(start.c[2], start.c[1]);
    step_ = kFirstStep / curve.turning_ * std::min(1.0, curve.normal_ / slip_);
    stepper_.start(*this, 0, y_.data());
  }

  /// Makes one step, or stops it at the goal; false where it has to be tried again, shorter.
  bool advance(SlipState& state) {
    const Unknowns weights = weights_of(state);
    const double error = stepper_.attempt(*this, 0, step_, y_.data(), weights.data());
    if (!(error <= 1)) {
      step_ = control_.after_failure(step_, error);
      return false;
    }
    stepper_.interpolate(*this, 0, step_, y_.data());
    if (const std::optional<double> theta = numerics::first_fall(missing())) {
      stepper_.attempt(*this, 0, *theta * step_, y_.data(), weights.data());
      state = state_of(stepper_.end());
      curve_.correct(state, goal_);
      at_goal = true;
      return true;
    }
    std::copy(stepper_.end(), stepper_.end() + unknowns, y_.begin());
    stepper_.advance();
    step_ = control_.after_success(step_, error);
    state = state_of(y_.data());
    return true;
  }

  /// The equations, for the stepper.
  void operator()(double, const double* y, double* dy) {
    ++curve_.evaluations;
    const Angular here = curve_.at(y[angle]);
    const double dP = slip_ * std::exp(y[log_slip]), friction = -curve_.contact_.mu * dP;  // dP_n = |c_t| ds
    dy[angle] = here.h;
    dy[log_slip] = here.g;
    dy[P_n] = dP;
    dy[P_1] = friction * here.t[0];
    dy[P_2] = friction * here.t[1];
    dy[work] = dP * normal_velocity(y);
    dy[friction_work] = friction * dP;
  }

  bool at_goal = false;

 private:
  double normal_velocity(const double* y) const {
    return start_.c[0] + row_n_[0] * y[P_n] + row_n_[1] * y[P_1] + row_n_[2] * y[P_2];
  }

  SlipState state_of(const double* y) const {
    SlipState state = start_;
    state.P += Eigen::Vector3d(y[P_n], y[P_1], y[P_2]);
    state.c[0] = normal_velocity(y);
    state.c.tail<2>() = slip_ * std::exp(y[log_slip]) * unit(y[angle]);
    state.work += y[work];
    state.friction_work += y[friction_work];
    return state;
  }

  Unknowns weights_of(const SlipState& state) const {
    const double by_angle = 1 / curve_.precision_;
    const double by_impulse = by_angle / (curve_.impulse_ + std::abs(state.P[0]));
    const double by_work = by_impulse / (curve_.normal_ + std::abs(state.c[0]));
    return {by_angle, by_angle, by_impulse, by_impulse, by_impulse, by_work, by_impulse / curve_.speed_};
  }

  /// What is missing to the goal, over the step.
  Polynomial missing() const {
    Polynomial rest;
    rest.fill(goal_.missing(start_));
    const auto subtract = [&](Index i, double factor) {
      const Polynomial part = stepper_.polynomial(i);
      for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= factor * part[k];
    };
    if (goal_.quantity == SlipGoal::Of::impulse) subtract(P_n, 1);
    if (goal_.quantity == SlipGoal::Of::work) subtract(work, 1);
    if (goal_.quantity == SlipGoal::Of::velocity)
      for (const Index i : {P_n, P_1, P_2}) subtract(i, row_n_[i - P_n]);
    return rest;
  }

  SlipCurve& curve_;
  const SlipState start_;
  const SlipGoal goal_;
  const double slip_;
  const Eigen::Vector3d row_n_;
  Stepper stepper_;
  numerics::StepControl control_{numerics::DormandPrince8::error_order};
  Unknowns y_{};
  double step_ = 0;
};

/// What the interpolant of a step missed the goal by.
void SlipCurve::correct(SlipState& state, const SlipGoal& goal) const {
  const Angular here = at(std::atan2(state.c[2], state.c[1]));
  const double slope = goal.quantity == SlipGoal::Of::velocity  ? here.normal
                       : goal.quantity == SlipGoal::Of::impulse ? 1
                                                                : state.c[0];
  const double x = goal.missing(state) / slope;
  if (!(std::abs(x) <= kCorrection * (impulse_ + state.P[0]))) return;
  const Eigen::Vector2d c_t = here.g * here.t + here.h * Eigen::Vector2d(-here.t[1], here.t[0]);
  move_straight(state, -contact_.mu * here.t, {here.normal, c_t[0], c_t[1]}, x);
}

SlipCurve::End SlipCurve::follow(SlipState& state, const SlipGoal& goal, const std::function<void()>& passed) {
  Run run(*this, state, goal);
  for (; steps < kMostSteps; ++steps) {
    if (!run.advance(state)) continue;
    if (run.at_goal) return End::goal;
    passed();
    if (is_straight(state)) return End::straight;
  }
  return End::unfinished;
}

}  // namespace carom::one_contact

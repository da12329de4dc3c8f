#include "carom/simulate/motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::simulate {
namespace {

constexpr double kSmallestStep = 1e-13;  // of the time passed, or of the time in which a body moves by its size
constexpr double kRoundingOfState = 16 * std::numeric_limits<double>::epsilon();
constexpr int kInVain = 4;               // shorter steps in a row without a smaller error: rounding
constexpr double kMostRounding = 1e4;    // of the tolerance: errors of rounding that are taken as such
constexpr double kTimeLeftOfSlip = 0.8;  // of the time in which a contact stops slipping
constexpr double kCrawl = 0.1;           // of that: shorter steps lead there slowly

/// How long a contact in space can slip on: a step must not lead beyond the time when it stops.
double slip_ends(const Model& model, const State& state, const Mode& mode) {
  double least = std::numeric_limits<double>::infinity();
  if (model.dimension() != Dimension::space) return least;
  const Vector gain = react(model, state, mode).acceleration;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    if (mode.tangential[i].mode != ContactMode::slip || mode.tangential[i].starting) continue;
    const Vector3 slip = slip_velocity(model, state, mode.closed[i]);
    const double speed = slip.norm();
    if (!(speed > 0)) continue;
    const ContactRows rows = contact_rows(model, state, {mode.closed[i]}, {1});
    const Vector bias = contact_bias(model, state, {mode.closed[i]}, {1});
    const Vector change = (rows.W.transpose() * gain + bias).tail(2);
    const Tangents tangents = tangents_of(mode.closed[i], model.dimension());
    const double falling = -(tangents * change).dot(slip) / speed;
    if (falling > 0) least = std::min(least, kTimeLeftOfSlip * speed / falling);
  }
  return least;
}

}  // namespace

Motion::Motion(const Model& model, const EventDriven& scheme, const Resting& resting, const Scales& scales,
               double first_step)
    : model_(model),
      resting_(resting),
      tolerance_(scheme.tolerance),
      layout_{model.positions(), model.velocities()},
      proposed_(first_step) {
  stepper_.resize(layout_.size());
  curves_.resize(layout_.size());
  y_.resize(layout_.size());
  weight_.resize(layout_.size());
  set_weights(scales);
}

auto Motion::derivative() {
  return [this](double t, const double* y, double* dy) {
    ++evaluations;
    const State state{t, Eigen::Map<const Vector>(y, layout_.q), Eigen::Map<const Vector>(y + layout_.q, layout_.u)};
    if (!state.q.allFinite() || !state.u.allFinite()) {
      std::fill(dy, dy + layout_.size(), std::numeric_limits<double>::quiet_NaN());
      return;
    }
    model_.position_rate(state, dy);
    BodyMotions bodies(model_, state);
    const Reactions reactions =
        react(model_, state, bodies, mode_.empty() ? mode_ : follow(model_, state, bodies, mode_).mode, {}, order_);
    Eigen::Map<Vector>(dy + layout_.q, layout_.u) = reactions.acceleration;
    resting_.hold(dy + layout_.q);
    dy[layout_.work()] = reactions.work_rate;
    dy[layout_.damped()] = reactions.damping_rate;
    dy[layout_.friction_work()] = reactions.friction_rate;
  };
}

Motion::Step Motion::step(const Moment& from, const Mode& mode, double most, const Scales& scales) {
  from_ = from;
  mode_ = mode;
  y_ << from.state.q, from.state.u, from.work, from.damped, from.friction_work;
  set_weights(scales);
  const auto f = derivative();
  stepper_.start(f, from.state.t, y_.data());
  const double stop = slip_ends(model_, from.state, mode), longest = std::min(most, stop);
  const double smallest = kSmallestStep * std::max(std::abs(from.state.t), scales.time());
  double h = std::min(proposed_, longest);
  double before = std::numeric_limits<double>::infinity(), h_before = h;
  int in_vain = 0;
  for (;;) {
    const double error = stepper_.attempt(f, from.state.t, h, y_.data(), weight_.data());
    in_vain = error < before * std::sqrt(h / h_before) ? 0 : in_vain + 1;
    const bool rounding = in_vain > kInVain && error <= kMostRounding;
    if (error <= 1 || rounding) {
      h_ = h;
      stepper_.interpolate(f, from.state.t, h, y_.data());
      for (Index i = 0; i < layout_.size(); ++i) curves_[i] = stepper_.nested(i);
      if (is_finite()) {
        const double next = control_.after_success(h, std::min(error, 1.0));
        proposed_ = h < longest ? next : std::max(proposed_, next);
        return {h, error, true, h < kCrawl * std::min(stop, scales.time())};
      }
    }
    before = error;
    h_before = h;
    h = control_.after_failure(h, error > 1 ? error : std::numeric_limits<double>::infinity());
    if (h <= smallest) {
      proposed_ = kTimeLeftOfSlip * scales.time();
      control_ = numerics::StepControl(numerics::DormandPrince8::error_order);
      return {h, error, false, false};
    }
  }
}

bool Motion::is_finite() const {
  const State middle = trajectory().at(0.5);
  return middle.q.allFinite() && middle.u.allFinite();
}

Moment Motion::unpacked(double t) const {
  const Eigen::Map<const Vector> end(stepper_.end(), layout_.size());
  Moment result{{t, end.head(layout_.q), end.segment(layout_.q, layout_.u)},
                end[layout_.work()],
                end[layout_.damped()],
                end[layout_.friction_work()]};
  model_.normalize(result.state.q);
  return result;
}

Moment Motion::end() const {
  return unpacked(from_.state.t + h_);
}

Moment Motion::end_after(double h) {
  const TrajectoryStep step = trajectory();
  const double theta = h / h_;
  const Moment interpolated{step.at(theta), step.work(theta), step.damped(theta), step.friction_work(theta)};
  const double error = stepper_.attempt(derivative(), from_.state.t, h, y_.data(), weight_.data());
  return error <= 1 ? unpacked(from_.state.t + h) : interpolated;
}

void Motion::set_weights(const Scales& scales) {
  const Index axes = static_cast<Index>(model_.dimension());
  weight_.setConstant(1 / (tolerance_ * scales.energy()));
  const double far = layout_.q > 0 ? y_.head(layout_.q).cwiseAbs().maxCoeff() : 0;
  const double fast = layout_.u > 0 ? y_.segment(layout_.q, layout_.u).cwiseAbs().maxCoeff() : 0;
  const double length = tolerance_ * scales.length + kRoundingOfState * far;
  const double speed = tolerance_ * scales.speed + kRoundingOfState * fast;
  for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body) {
    const Index q = model_.first_position(body), u = layout_.q + model_.first_velocity(body);
    if (q < 0) continue;
    const Index turns = axes == 1 ? 0 : axes == 2 ? 1 : 4, spins = axes == 1 ? 0 : axes == 2 ? 1 : 3;
    weight_.segment(q, axes).setConstant(1 / length);
    weight_.segment(q + axes, turns).setConstant(1 / (tolerance_ + kRoundingOfState * far / scales.length));
    weight_.segment(u, axes).setConstant(1 / speed);
    weight_.segment(u + axes, spins).setConstant(scales.length / speed);
  }
}

}  // namespace carom::simulate

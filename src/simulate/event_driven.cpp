#include "simulate/event_driven.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "simulate/contact_search.h"
#include "simulate/free_flight.h"
#include "simulate/impacts.h"
#include "simulate/smooth_motion.h"

namespace carom {
namespace {

constexpr double kTouching = 1e-9;        // of the smaller body's size: gaps up to this are closed at an event
constexpr double kNoApproach = 1e-10;     // of the speeds
constexpr double kSlowSlip = 1e-8;        // of the speeds: slip in space below it has stopped
constexpr double kNoSlip = 1e-13;         // the same, where slip changes its sign
constexpr double kNoForce = 1e-9;         // of the largest force: a contact force below it holds nothing
constexpr int kMostEventsAtOnce = 10000;  // without the time moving on
constexpr int kRootSteps = 60;
constexpr double kTravel = 4;  // sizes that the fastest of many bodies may move in a step

/// Lengths, speeds and energies of the scene, against which errors are measured.
struct Scales {
  double length = 0, speed = 0;

  Scales(const Model& model, const State& state, double duration) {
    const Description& description = model.description();
    for (const Body& body : model.bodies())
      for (const geometry::Part& part : body.parts)
        if (const double reach = geometry::reach(part.shape); std::isfinite(reach) && body.is_free())
          length = std::max(length, reach);
    for (const Joint& joint : description.joints)
      length = std::max({length, joint.length, joint.a.point.norm(), joint.b.point.norm()});
    if (length == 0 && state.q.size() > 0) length = state.q.cwiseAbs().maxCoeff();
    if (length == 0) length = 1;
    speed = std::max(std::sqrt(description.gravity.norm() * length), length / duration);
    see(model, state);
  }

  void see(const Model& model, const State& state) {
    for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
      const Twist twist = model.twist(body, state);
      speed = std::max({speed, twist.velocity.norm(), length * twist.angular.norm()});
    }
  }
};

class EventDrivenRun {
 public:
  EventDrivenRun(const Model& model, const State& start, const EventDriven& scheme, const ImpactLaw& law,
                 const RunOptions& options, Observer& observer)
      : model_(model),
        options_(options),
        state_(start),
        rules_(model),
        search_(model, rules_),
        journal_(model, start, observer),
        summary_(journal_.summary),
        impacts_(model, rules_, law, scheme, journal_),
        scheme_(scheme),
        scales_(model, start, options.duration),
        layout_{model.positions(), model.velocities()},
        t_end_(start.t + options.duration),
        start_(start.t),
        next_record_(start.t),
        h_(std::min(options.duration, 1e-2 * scales_.length / scales_.speed)) {
    stepper_.resize(layout_.size());
    y_.resize(layout_.size());
    weight_.resize(layout_.size());
  }

  RunSummary go() {
    settle({});
    record_until(state_.t, nullptr);
    if (closed_.empty() && FreeFlight::applies(model_)) fly();
    while (state_.t < t_end_ && goes_on()) {
      advance();
      journal_.progress(state_.t);
    }
    update_books(state_, work_, damped_, rubbed_);
    return journal_.finished(state_);
  }

 private:
  bool goes_on() {
    if (summary_.status != RunStatus::solved) return false;
    if (static_cast<double>(summary_.impacts) < scheme_.most_impacts) return true;
    summary_.status = RunStatus::not_finished;
    summary_.message =
        fmt::format("{} impacts by t = {:.6g} s; scheme.most_impacts allows no more", summary_.impacts, state_.t);
    return false;
  }

  /// Balls that nothing but impacts connects, until the end or until a contact is about to stay closed.
  void fly() {
    FreeFlight flight(model_, rules_, impacts_, state_);
    const auto after_impact = [&](double t) {
      journal_.progress(t);
      return goes_on();
    };
    bool flying = true;
    while (flying && state_.t < t_end_) {
      flying = flight.advance(std::min(next_record_, t_end_), after_impact);
      state_ = flight.state();
      if (flying) record_until(state_.t, nullptr);
    }
    scales_.see(model_, state_);
    if (!flying && summary_.status == RunStatus::solved) settle({});
  }

  // ---- Smooth motion

  auto derivative() {
    return [this](double t, const double* y, double* dy) {
      ++summary_.evaluations;
      State state{t, Eigen::Map<const Vector>(y, layout_.q), Eigen::Map<const Vector>(y + layout_.q, layout_.u)};
      model_.position_rate(state, dy);
      const Reactions reactions =
          react(model_, state, closed_.empty() ? closed_ : follow(model_, state, closed_).touches, holds_);
      Eigen::Map<Vector>(dy + layout_.q, layout_.u) = reactions.acceleration;
      dy[layout_.work()] = reactions.work_rate;
      dy[layout_.damped()] = reactions.damping_rate;
      dy[layout_.rubbed()] = reactions.friction_rate;
    };
  }

  /// One step, up to its first event.
  void advance() {
    const double h = accepted_step();
    const auto f = derivative();
    stepper_.interpolate(f, state_.t, h, y_.data());
    const TrajectoryStep step(model_, stepper_, layout_, state_.t, h);
    const std::optional<double> closing = search_.first_closing(step, closed_);
    const std::optional<Change> change = first_change(step);
    const double theta = std::min(closing.value_or(1), change ? change->theta : 1);
    record_until(state_.t + theta * h, &step);
    const bool event = closing || change;
    if (event && theta < 1)
      take_shorter(theta * h);
    else
      take(h);
    ++summary_.steps;
    if (event)
      settle(change && change->theta <= theta ? *change : Change{});
    else
      follow_closed();
  }

  /// Tries steps until one is accurate enough; y_ and the stepper are then at its start.
  double accepted_step() {
    pack();
    const auto f = derivative();
    stepper_.start(f, state_.t, y_.data());
    set_weights();
    double h = std::min({h_, t_end_ - state_.t, longest_step()});
    const bool last = h >= t_end_ - state_.t;
    for (;;) {
      const double error = stepper_.attempt(f, state_.t, h, y_.data(), weight_.data());
      if (error <= 1) {
        const double next = control_.after_success(h, error);
        h_ = last ? std::max(h_, next) : next;
        return h;
      }
      h = control_.after_failure(h, error);
      if (h <= 1e-14 * std::max(std::abs(state_.t), scales_.length / scales_.speed)) {
        summary_.status = RunStatus::not_finished;
        summary_.message =
            fmt::format("the motion at t = {:.9g} s needs steps below {:.1e} s; is something singular?", state_.t, h);
        return h;
      }
    }
  }

  /// So that each of many bodies meets few others in a step.
  double longest_step() const {
    const double many = static_cast<double>(model_.bodies().size()) / 64;
    return many < 1 ? options_.duration : kTravel / many * scales_.length / scales_.speed;
  }

  void pack() {
    y_.head(layout_.q) = state_.q;
    y_.segment(layout_.q, layout_.u) = state_.u;
    y_[layout_.work()] = work_;
    y_[layout_.damped()] = damped_;
    y_[layout_.rubbed()] = rubbed_;
  }

  void set_weights() {
    const double energy = std::max(std::abs(summary_.books.start), model_.M().kinetic_energy(state_.u));
    const Index axes = static_cast<Index>(model_.dimension());
    weight_.setConstant(1 / (scheme_.tolerance * std::max(energy, tiny_energy())));
    for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body) {
      const Index q = model_.first_position(body), u = layout_.q + model_.first_velocity(body);
      if (q < 0) continue;
      const Index turns = axes == 1 ? 0 : axes == 2 ? 1 : 4, spins = axes == 1 ? 0 : axes == 2 ? 1 : 3;
      weight_.segment(q, axes).setConstant(1 / (scheme_.tolerance * scales_.length));
      weight_.segment(q + axes, turns).setConstant(1 / scheme_.tolerance);
      weight_.segment(u, axes).setConstant(1 / (scheme_.tolerance * scales_.speed));
      weight_.segment(u + axes, spins).setConstant(scales_.length / (scheme_.tolerance * scales_.speed));
    }
  }
  double tiny_energy() const {
    double mass = 0;
    for (const Body& body : model_.bodies())
      if (body.is_free()) mass = std::max(mass, body.mass);
    return mass * scales_.speed * scales_.speed;
  }

  /// The step that was tried becomes the state.
  void take(double h) {
    const Eigen::Map<const Vector> end(stepper_.end(), layout_.size());
    state_.t = h >= t_end_ - state_.t ? t_end_ : state_.t + h;
    state_.q = end.head(layout_.q);
    state_.u = end.segment(layout_.q, layout_.u);
    work_ = end[layout_.work()];
    damped_ = end[layout_.damped()];
    rubbed_ = end[layout_.rubbed()];
    model_.normalize(state_.q);
    scales_.see(model_, state_);
    summary_.largest_joint_error = std::max(summary_.largest_joint_error, project(model_, state_, closed_, holds_));
  }

  /// The step again, shorter: its end is more accurate than the interpolant.
  void take_shorter(double h) {
    stepper_.attempt(derivative(), state_.t, h, y_.data(), weight_.data());
    take(h);
  }

  void follow_closed() {
    if (closed_.empty()) return;
    const Followed followed = follow(model_, state_, closed_);
    closed_ = followed.touches;
    for (std::size_t i = 0; i < closed_.size(); ++i) {
      Hold& hold = holds_[i];
      if (hold.grip != Grip::slip) continue;
      const Vector3 slip = slip_velocity(model_, state_, closed_[i]);
      if (slip.norm() <= slow_slip()) continue;
      hold.starting = false;
      hold.heading = slip.normalized();
    }
    if (followed.lost) settle({});
  }

  // ---- Events

  /// Where closed contacts stop being what they are.
  struct Change {
    double theta = 0;
    std::vector<Touch> released;  // that would have to pull
    struct Start {
      Touch touch;
      Vector3 heading;
    };
    std::vector<Start> sliding;  // that cannot hold on
  };

  Reactions reactions_at(const State& state) const {
    return react(model_, state, follow(model_, state, closed_).touches, holds_);
  }

  double slow_slip() const { return kSlowSlip * scales_.speed; }

  bool still_slips(const State& state, std::size_t i) const {
    const Vector3 slip = slip_velocity(model_, state, closed_[i]);
    if (holds_[i].starting || model_.dimension() == Dimension::plane)
      return slip.dot(holds_[i].heading) >= -kNoSlip * scales_.speed;
    return slip.dot(holds_[i].heading) > 0 && slip.norm() > slow_slip();
  }

  /// Whether every closed contact presses and those that stick can hold on.
  bool holds(const State& state) {
    const Reactions reactions = reactions_at(state);
    const double floor = force_floor(reactions.contacts);
    for (std::size_t i = 0; i < closed_.size(); ++i) {
      const double pressed = reactions.contacts[static_cast<Index>(i)];
      if (pressed < -floor) return false;
      if (holds_[i].grip == Grip::stick && reactions.friction[i].norm() > holds_[i].mu * pressed + floor) return false;
      if (holds_[i].grip == Grip::slip && !still_slips(state, i)) return false;
    }
    return true;
  }

  /// The first time within a step at which a closed contact opens, begins to slip or stops slipping.
  std::optional<Change> first_change(const TrajectoryStep& step) {
    if (closed_.empty()) return std::nullopt;
    double low = 0, high = 1;
    if (holds(step.at(1))) return std::nullopt;
    for (int i = 0; i < kRootSteps && high - low > 1e-14; ++i) {
      const double middle = 0.5 * (low + high);
      (holds(step.at(middle)) ? low : high) = middle;
    }
    Change change{high, {}, {}};
    const Reactions reactions = reactions_at(step.at(high));
    const double floor = force_floor(reactions.contacts);
    for (std::size_t i = 0; i < closed_.size(); ++i) {
      const double pressed = reactions.contacts[static_cast<Index>(i)], pulled = reactions.friction[i].norm();
      if (pressed <= floor)
        change.released.push_back(closed_[i]);
      else if (holds_[i].grip == Grip::stick && pulled >= (1 - kNoForce) * holds_[i].mu * pressed - floor)
        change.sliding.push_back({closed_[i], -reactions.friction[i] / pulled});
    }
    return change;
  }

  double force_floor(const Vector& lambda) const {
    double weight = 0;
    for (const Body& body : model_.bodies())
      if (body.is_free()) weight = std::max(weight, body.mass);
    const double typical = weight * scales_.speed * scales_.speed / scales_.length;
    return kNoForce * std::max(lambda.cwiseAbs().maxCoeff(), 1e-3 * typical);
  }

  /// Impacts until nothing approaches, then decides which contacts stay closed, and how.
  void settle(const Change& change) {
    events_at_once_ = state_.t > last_event_ ? 0 : events_at_once_ + 1;
    last_event_ = state_.t;
    if (events_at_once_ > kMostEventsAtOnce) {
      summary_.status = RunStatus::not_finished;
      summary_.message = fmt::format("{} events at t = {:.12g} s without an end", kMostEventsAtOnce, state_.t);
      return;
    }
    std::vector<Touch> touches = search_.touching(state_, kTouching);
    for (const Touch& touch : touches)
      summary_.deepest_penetration = std::max(summary_.deepest_penetration, -touch.point.gap);
    for (const Island& island : islands(model_, touches)) {
      if (impacts_.approach(state_, island) > no_approach()) state_ = impacts_.after(state_, island);
    }
    scales_.see(model_, state_);
    stay_closed(touches, change);
  }

  /// [m/s] below it two bodies neither approach nor part.
  double no_approach() const { return std::max(impacts_.still(), kNoApproach * scales_.speed); }

  /// What is known of a contact's grip before forces decide.
  Hold hold_of(const Touch& touch, const Change& change) const {
    Hold hold;
    if (model_.dimension() == Dimension::line) return hold;
    hold.mu = rules_.properties(touch.pair.body_a, touch.pair.body_b).mu;
    if (hold.mu <= 0) return hold;
    for (const Change::Start& start : change.sliding)
      if (start.touch.same_as(touch)) return {hold.mu, Grip::slip, start.heading, true};
    const Vector3 slip = slip_velocity(model_, state_, touch);
    if (slip.norm() > slow_slip()) return {hold.mu, Grip::slip, slip.normalized(), false};
    return hold;
  }

  void stay_closed(const std::vector<Touch>& touches, const Change& change) {
    std::vector<Touch> still;
    std::vector<Hold> held;
    const double slow = no_approach();
    for (const Touch& touch : touches) {
      const auto is_same = [&](const Touch& one) { return one.same_as(touch); };
      if (std::any_of(change.released.begin(), change.released.end(), is_same)) continue;
      if (normal_velocity(model_, state_, touch) > slow) continue;
      still.push_back(touch);
      held.push_back(hold_of(touch, change));
    }
    closed_.clear();
    holds_.clear();
    if (still.empty()) return;
    const Closure closure = close_contacts(model_, state_, still, std::move(held));
    if (!closure.solved) {
      summary_.status = RunStatus::not_finished;
      summary_.message = fmt::format(
          "no contact forces satisfy Coulomb's law at t = {:.9g} s: friction jams a sliding contact (Painleve)",
          state_.t);
      return;
    }
    const double floor = force_floor(closure.normal);
    for (std::size_t i = 0; i < still.size(); ++i) {
      if (closure.normal[static_cast<Index>(i)] <= floor) continue;
      closed_.push_back(still[i]);
      holds_.push_back(closure.holds[i]);
    }
    if (!closed_.empty()) project(model_, state_, closed_, holds_);
  }

  // ---- Records

  void update_books(const State& state, double work, double damped, double rubbed) {
    journal_.energies(state);
    summary_.books.work += work - booked_work_;
    summary_.books.dissipated_dampers = damped;
    summary_.books.dissipated_slip = rubbed;
    booked_work_ = work;
  }

  void record_until(double t, const TrajectoryStep* step) {
    while (next_record_ <= t && recorded_ <= last_record()) {
      const double theta = step ? (next_record_ - step->start()) / step->length() : 0;
      const State state = step ? step->at(theta) : state_;
      update_books(state, step ? step->work(theta) : work_, step ? step->damped(theta) : damped_,
                   step ? step->rubbed(theta) : rubbed_);
      journal_.record(state);
      ++recorded_;
      next_record_ = std::min(t_end_, start_ + static_cast<double>(recorded_) * options_.interval);
    }
  }
  long last_record() const { return static_cast<long>(std::ceil(options_.duration / options_.interval - 1e-9)); }

  const Model& model_;
  const RunOptions& options_;
  State state_;
  ContactRules rules_;
  ContactSearch search_;
  Journal journal_;
  RunSummary& summary_;
  Impacts impacts_;
  const EventDriven& scheme_;
  double work_ = 0, damped_ = 0, rubbed_ = 0, booked_work_ = 0;
  std::vector<Touch> closed_;
  std::vector<Hold> holds_;  // (closed)
  Scales scales_;
  Layout layout_;
  double t_end_, start_, next_record_, h_;
  long recorded_ = 0;
  double last_event_ = -std::numeric_limits<double>::infinity();
  int events_at_once_ = 0;
  TrajectoryStep::Stepper stepper_;
  numerics::StepControl control_{numerics::DormandPrince8::error_order};
  Vector y_, weight_;
};

}  // namespace

RunSummary run_event_driven(const Model& model, const State& start, const EventDriven& scheme, const ImpactLaw& law,
                            const RunOptions& options, Observer& observer) {
  return EventDrivenRun(model, start, scheme, law, options, observer).go();
}

}  // namespace carom

#include "carom/simulate/forced/located_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "carom/base/error.h"
#include "carom/forces/engine/follower.h"
#include "carom/model/kinks.h"
#include "carom/simulate/contact_search.h"
#include "carom/simulate/forced/contact_times.h"
#include "carom/simulate/forced/moving_contacts.h"
#include "carom/simulate/magnitudes.h"
#include "carom/simulate/smooth_motion.h"
#include "carom/simulate/told_forces.h"

namespace carom::simulate {
namespace {

constexpr double kLocatedShare = 0.01;    // the error allowed in a step, in parts of the tolerance
constexpr double kLocatedNoise = 1e-3;    // speeds below this part of the tolerance are none
constexpr double kSlowestClosure = 1e-3;  // of the fastest approach: damping refers to no slower one
constexpr double kEpoch = 0.5;  // of the smallest body's size: the farthest a body moves before pairs are found anew
constexpr double kRoundingOfPlaces = 16 * std::numeric_limits<double>::epsilon();
constexpr double kFaster = 2;           // than at the beginning of an epoch: then it ends
constexpr long kTriesOfEpoch = 200000;  // of steps
constexpr double kCoarserMotion = 100, kCoarsestMotion = 1e-3;

/// A contact from epoch to epoch.
struct Contacted {
  ContactPair pair;
  forces::ContactState state;
  Eigen::Matrix3Xd tangents;
  Vector3 spring = Vector3::Zero();  // tangential, or its direction while it slips
  ContactClosure closure;
  double work_before = 0, impulse_before = 0;  // of the closure, in epochs before this one
};

ContactMode mode_of(const forces::ContactState& state) {
  if (state.phase == forces::Phase::open || state.phase == forces::Phase::slack) return ContactMode::open;
  switch (state.mode) {
    case ContactMode::open:
      return ContactMode::closed;
    case ContactMode::stick:
      return ContactMode::stick;
    default:
      return ContactMode::slip;
  }
}

class LocatedRun {
 public:
  LocatedRun(const Model& model, const State& start, const ForcedMotion& scheme, const Compliant& law,
             const RunOptions& options, Observer& observer)
      : model_(model),
        law_(law),
        options_(options),
        observer_(observer),
        rules_(model),
        search_(model, rules_),
        journal_(model, start, observer),
        times_(contact_times(model, rules_, law, start)),
        state_(start),
        begin_(start.t),
        tolerance_(scheme.tolerance) {
    speed_ = std::max(times_.speed, std::numeric_limits<double>::min());
    smallest_ = std::numeric_limits<double>::infinity();
    for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body)
      if (model.bodies()[body].is_free() && search_.reach(body) > 0)
        smallest_ = std::min(smallest_, search_.reach(body));
    if (!std::isfinite(smallest_)) smallest_ = 1;
  }

  RunSummary run() {
    const double end = begin_ + options_.duration;
    set_up();
    record();
    while (state_.t < end && journal_.goes_on(options_, state_)) {
      if (!epoch(end - state_.t)) break;
      journal_.progress(state_.t);
    }
    journal_.summary.steps = steps_;
    journal_.summary.evaluations = evaluations_;
    if (tolerance_asked_ > 0 && journal_.summary.status == RunStatus::solved) {
      journal_.summary.status = RunStatus::approximate;
      journal_.summary.message = fmt::format(
          "some motion could not be followed at the tolerance {:.1g}; {:.1g} was taken", tolerance_asked_, tolerance_);
    }
    return journal_.finished(state_);
  }

 private:
  double fastest() const {
    double most = 0;
    for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body) {
      const Twist twist = model_.twist(body, state_);
      const double reach = model_.bodies()[body].is_free() ? search_.reach(body) : smallest_;
      most = std::max(most, twist.velocity.norm() + twist.angular.norm() * reach);
    }
    return most;
  }

  /// The pairs that may touch within a distance; what was known of them is kept.
  void find_pairs(double distance) {
    std::vector<Contacted> now;
    for (const ContactPair& pair : search_.touching(state_, 0, distance)) {
      const double near = 1e-3 * search_.smaller_size(pair.parts);
      auto known = std::find_if(contacts_.begin(), contacts_.end(),
                                [&](const Contacted& one) { return one.pair.same_as(pair); });
      if (known == contacts_.end())
        known = std::find_if(contacts_.begin(), contacts_.end(),
                             [&](const Contacted& one) { return one.pair.coincides_with(pair, near); });
      Contacted one;
      one.tangents = tangents_of(pair.point.normal, model_.dimension());
      if (known != contacts_.end()) {
        one = std::move(*known);
        contacts_.erase(known);
      }
      one.pair = pair;
      now.push_back(std::move(one));
    }
    for (Contacted& gone : contacts_)
      if (gone.state.phase != forces::Phase::open) close(gone, -1, 0);
    contacts_ = std::move(now);
  }

  void set_up() {
    epoch_start_ = state_.t;
    std::vector<Contact> given;
    std::vector<ContactPair> pairs;
    std::vector<char> along;
    std::vector<Eigen::Matrix3Xd> tangents;
    Vector mass(static_cast<Index>(contacts_.size()));
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      Contacted& one = contacts_[i];
      given.push_back(rules_.contact(state_, one.pair));
      pairs.push_back(one.pair);
      along.push_back(given.back().static_friction() > 0);
      tangents.push_back(one.tangents);
      mass[static_cast<Index>(i)] = contact_masses(model_, state_, one.pair).normal;
    }
    const double depth =
        times_.shortest < std::numeric_limits<double>::infinity() ? times_.shortest * speed_ / 4 : 1e-3 * smallest_;
    kinematics_ =
        std::make_unique<MovingContacts>(model_, std::move(pairs), along, std::move(tangents), state_.t, depth);
    motion_ = std::make_unique<forces::Motion>(*kinematics_, law_.normal_forces(given), law_.friction_forces(given));
    scales_ = {};
    scales_.speed = speed_;
    scales_.slowest = kSlowestClosure * speed_;
    scales_.noise = kLocatedNoise * tolerance_ * speed_;
    scales_.rounding = kRoundingOfPlaces * state_.q.cwiseAbs().maxCoeff();
    scales_.set_contacts(*motion_, mass);
    Vector y = Vector::Zero(motion_->size());
    y.head(kinematics_->size()) = kinematics_->packed(state_, 0, 0);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      motion_->state[i] = contacts_[i].state;
      motion_->state[i].counted = 0;
      const Index at = motion_->spring(static_cast<Index>(i));
      const Eigen::Matrix3Xd& t = contacts_[i].tangents;
      for (Index k = 0; k < t.cols() && along[i]; ++k) y[at + k] = t.col(k).dot(contacts_[i].spring);
    }
    follower_ = std::make_unique<forces::Follower>(*motion_, scales_, kLocatedShare * tolerance_, std::move(y));
    if (proposed_ > 0) follower_->propose(proposed_);
    motion_->hold(0, follower_->y.data());
    follower_->start();
  }

  double time() const { return epoch_start_ + follower_->t; }

  /// Moves on for at most `most` [s]: until pairs have to be found anew. False: it could not go on.
  bool epoch(double most) {
    const double fast = fastest(), g = model_.description().gravity.norm();
    const double length = kEpoch * smallest_;
    double span = fast > 0 ? length / fast : std::numeric_limits<double>::infinity();
    if (g > 0) span = std::min(span, std::sqrt(2 * length / g));
    span = std::min(span, most);
    if (const auto kink = next_kink(model_, state_.t, state_.t + span)) span = std::max(*kink - state_.t, 1e-12 * span);
    const double allowed = 4 * (kFaster * fast + 0.5 * g * span);  // of two bodies towards each other
    find_pairs(allowed * span);
    set_up();
    forces::Moment moment;
    const double rounding = 1e-14 * (std::abs(epoch_start_) + span), end = begin_ + options_.duration;
    for (long tries = 0; follower_->t < span; ++tries) {
      if (tries > kTriesOfEpoch || !follower_->y.allFinite()) return coarser();
      const double record_at =
          std::min(end, begin_ + static_cast<double>(recorded_) * options_.interval) - epoch_start_;
      motion_->evaluate(follower_->t, follower_->y.data(), moment);
      const double before = follower_->t;
      follower_->step(moment, std::min(span, record_at) - follower_->t);
      if (span - follower_->t < rounding) follower_->t = span;
      notice();
      if (record_at - follower_->t < rounding) record();
      if (follower_->t > before && 2 * fastest_now() > allowed && fast > 0) break;
      if (options_.is_cancelled()) break;
    }
    store();
    return true;
  }

  double fastest_now() const {
    const Index axes = static_cast<Index>(model_.dimension());
    double most = 0;
    for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body)
      if (const Index u = model_.first_velocity(body); u >= 0)
        most = std::max(most, follower_->y.segment(model_.positions() + u, axes).norm());
    return most;
  }

  /// Goes on from here less accurately, if that is possible.
  bool coarser() {
    const bool finite = follower_->y.allFinite();
    if (finite) store();
    if (tolerance_asked_ <= 0) tolerance_asked_ = tolerance_;
    tolerance_ *= kCoarserMotion;
    if (finite && tolerance_ <= kCoarsestMotion) return true;
    journal_.summary.status = RunStatus::not_finished;
    journal_.summary.message =
        fmt::format("t = {:.9g} s: {}", state_.t,
                    finite ? "contacts change too often to be followed" : "the motion is no longer a number");
    return false;
  }

  /// What happened at the end of a step.
  void notice() {
    if (follower_->happened.empty()) return;
    forces::Moment now;
    motion_->evaluate(follower_->t, follower_->y.data(), now);
    for (const forces::Event& event : follower_->happened) {
      Contacted& one = contacts_[event.contact];
      forces::ContactState& state = motion_->state[event.contact];
      const double gamma = now.gamma[kinematics_->row(event.contact)];
      const double work = worked(event.contact);
      switch (event.what) {
        case forces::Happening::touches:
          one.closure = {.parts = one.pair.parts, .begin = time(), .approach = -gamma};
          one.work_before = -work;
          one.impulse_before = -kinematics_->impulse(event.contact, follower_->y.data());
          state.peak = 0;
          ++journal_.summary.impacts;
          break;
        case forces::Happening::turns:
          one.closure.deepest = std::max(one.closure.deepest, now.d[event.contact]);
          break;
        case forces::Happening::opens:
        case forces::Happening::loosens:
          one.state = state;
          close(one, event.contact, gamma);
          if (!motion_->with_normal(event.contact, []<class F>(const F&) { return F::remembers; }))
            state.touched = false;
          state.peak = 0;
          break;
        default:
          break;
      }
    }
  }

  double worked(Index i) const { return follower_->y[motion_->work(i)] + follower_->y[motion_->rubbed(i)]; }

  /// `at`: its number in this epoch; -1: between epochs.
  void close(Contacted& one, Index at, double departure) {
    const bool here = at >= 0;
    ContactClosure& closure = one.closure;
    closure.end = here ? time() : state_.t;
    closure.departure = departure;
    closure.dissipated = one.work_before + (here ? worked(at) : 0);
    closure.impulse = one.impulse_before + (here ? kinematics_->impulse(at, follower_->y.data()) : 0);
    note_peak(one);
    journal_.lost(closure.parts.body_a, closure.parts.body_b, closure.dissipated);
    observer_.closure(model_, closure);
  }

  void note_peak(Contacted& one) {
    RunSummary& summary = journal_.summary;
    if (one.state.peak > one.closure.peak_force) {
      one.closure.peak_force = one.state.peak;
      one.closure.peak_time = epoch_start_ + one.state.peak_time;
    }
    summary.deepest_penetration = std::max(summary.deepest_penetration, one.closure.deepest);
    if (one.closure.peak_force <= summary.peak_force) return;
    summary.peak_force = one.closure.peak_force;
    summary.peak_time = one.closure.peak_time;
    summary.peak_parts = one.pair.parts;
  }

  /// From the engine's state into this one's.
  void store() {
    const Vector& y = follower_->y;
    state_ = kinematics_->state(follower_->t, y.data());
    model_.normalize(state_.q);
    if (!model_.description().joints.empty()) {
      Projected projected = project(model_, state_, {});
      journal_.summary.largest_joint_error = std::max(journal_.summary.largest_joint_error, projected.error);
      state_ = std::move(projected.state);
    }
    work_ += kinematics_->work(y.data());
    damped_ += kinematics_->damped(y.data());
    const std::vector<ContactPair>& pairs = kinematics_->pairs(follower_->t, y.data());
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Index at = static_cast<Index>(i);
      Contacted& one = contacts_[i];
      one.state = motion_->state[i];
      one.pair = pairs[i];
      one.work_before += worked(at);
      one.impulse_before += kinematics_->impulse(at, y.data());
      pressed_ += y[motion_->work(at)];
      rubbed_ += y[motion_->rubbed(at)];
      const Eigen::Matrix3Xd t = kinematics_->tangents_now(at);
      one.spring.setZero();
      for (Index k = 0; k < t.cols(); ++k) one.spring += y[motion_->spring(at) + k] * t.col(k);
      if (t.cols() > 0) one.tangents = t;
      note_peak(one);
      one.state.peak_time -= follower_->t;
    }
    proposed_ = follower_->proposed();
    steps_ += follower_->steps;
    evaluations_ += motion_->evaluations;
    follower_.reset();
  }

  void record() {
    const Vector& y = follower_->y;
    forces::Moment now;
    motion_->evaluate(follower_->t, y.data(), now);
    const std::vector<ContactPair>& pairs = kinematics_->pairs(follower_->t, y.data());
    std::vector<ContactForce> told;
    double stored = 0, along = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Index at = static_cast<Index>(i), row = kinematics_->row(at);
      const forces::ContactState& state = motion_->state[i];
      if (state.phase == forces::Phase::open) continue;
      const Index count = kinematics_->tangents(at);
      const Eigen::Matrix3Xd t = kinematics_->tangents_now(at);
      stored += motion_->with_normal(at, [&](const auto& f) { return f.stored(now.d[at], state.memory); });
      Vector3 T = Vector3::Zero(), slip = Vector3::Zero();
      for (Index k = 0; k < count; ++k) {
        T += now.force[row + 1 + k] * t.col(k);
        slip += now.gamma[row + 1 + k] * t.col(k);
      }
      if (motion_->kind() == forces::FrictionKind::elastic && count > 0)
        if (const double k_t = motion_->tangential_stiffness(at, now); k_t > 0) along += 0.5 * T.squaredNorm() / k_t;
      told.push_back({pairs[i].parts, 0.5 * (pairs[i].point.point_a + pairs[i].point.point_b), pairs[i].point.normal,
                      now.force[row], T, slip, now.d[at], mode_of(state)});
    }
    Ledger& ledger = journal_.summary.ledger;
    ledger.stored = stored + along;
    double pressed = pressed_, rubbed = rubbed_;
    for (Index i = 0; i < motion_->contacts(); ++i) {
      pressed += y[motion_->work(i)];
      rubbed += y[motion_->rubbed(i)];
    }
    ledger.dissipated_impacts = pressed - stored;
    ledger.dissipated_slip = rubbed - along;
    ledger.dissipated_dampers = damped_ + kinematics_->damped(y.data());
    ledger.work = work_ + kinematics_->work(y.data());
    State now_state = kinematics_->state(follower_->t, y.data());
    model_.normalize(now_state.q);
    journal_.record(now_state);
    if (journal_.wants_forces()) journal_.forces(now_state.t, told, told_joints(model_, now_state, told));
    ++recorded_;
  }

  const Model& model_;
  const Compliant& law_;
  const RunOptions& options_;
  Observer& observer_;
  ContactRules rules_;
  ContactSearch search_;
  Journal journal_;
  ContactTimes times_;
  State state_;
  double begin_, tolerance_, tolerance_asked_ = 0;
  double speed_ = 0, smallest_ = 0, epoch_start_ = 0;
  double work_ = 0, damped_ = 0, pressed_ = 0, rubbed_ = 0;  // [J] in epochs that are over
  long recorded_ = 0, steps_ = 0, evaluations_ = 0;
  double proposed_ = 0;  // [s] the next step
  std::vector<Contacted> contacts_;
  forces::Scales scales_;
  std::unique_ptr<MovingContacts> kinematics_;
  std::unique_ptr<forces::Motion> motion_;
  std::unique_ptr<forces::Follower> follower_;
};

}  // namespace

RunSummary run_located(const Model& model, const State& start, const ForcedMotion& scheme, const Compliant& law,
                       const RunOptions& options, Observer& observer) {
  return LocatedRun(model, start, scheme, law, options, observer).run();
}

}  // namespace carom::simulate

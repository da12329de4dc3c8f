#include "carom/simulate/forced/located_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "carom/model/kinks.h"
#include "carom/simulate/archived_values.h"
#include "carom/simulate/forced/contact_times.h"
#include "carom/simulate/forced/located_epoch.h"
#include "carom/simulate/smooth_motion.h"
#include "carom/simulate/told_forces.h"

namespace carom::simulate {
namespace {

constexpr double kEpoch = 0.5;  // of the smallest body's size: the farthest a body moves before pairs are found anew
constexpr double kSlowEpoch = 10, kLongEpoch = 1e3;  // sizes; durations
constexpr double kFaster = 2;                        // than at the beginning of an epoch: then it ends
constexpr long kTriesOfEpoch = 200000;               // of steps
constexpr double kCoarserMotion = 100, kCoarsestMotion = 1e-3;

/// The size of the smallest body that may touch something.
double smallest_size(const Model& model, const ContactSearch& search) {
  double result = std::numeric_limits<double>::infinity();
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body)
    if (model.bodies()[body].is_free() && search.reach(body) > 0) result = std::min(result, search.reach(body));
  return std::isfinite(result) ? result : 1;
}

/// The fastest point of all bodies [m/s].
double fastest_point(const Model& model, const ContactSearch& search, const State& state, double size_of_walls) {
  double most = 0;
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const Twist twist = model.twist(body, state);
    const double reach = model.bodies()[body].is_free() ? search.reach(body) : size_of_walls;
    most = std::max(most, twist.velocity.norm() + twist.angular.norm() * reach);
  }
  return most;
}

/// At most this speed, this acceleration without contacts, this way and this time: how long an epoch may last, and how
/// fast two bodies may come towards each other in it.
struct EpochSpan {
  double length = 0;   // [s]
  double allowed = 0;  // [m/s]
};
EpochSpan epoch_span(const Model& model, const State& state, double fast, double g, double way, double most) {
  double span = fast > 0 ? way / fast : std::numeric_limits<double>::infinity();
  if (g > 0) span = std::min(span, std::sqrt(2 * way / g));
  span = std::min(span, most);
  if (const auto kink = next_kink(model, state.t, state.t + span)) span = std::max(*kink - state.t, 1e-12 * span);
  return {span, 4 * (kFaster * fast + 0.5 * g * span)};
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
        journal_(model, start, options, observer),
        state_(start),
        begin_(options.begin(start)),
        smallest_(smallest_size(model, search_)) {
    const ContactTimes times = contact_times(model, rules_, law, start, options.duration);
    scales_.speed = std::max(times.speed, std::numeric_limits<double>::min());
    acceleration_ = std::max(times.acceleration, model.description().gravity.norm());
    scales_.depth = std::isfinite(times.shortest) ? times.shortest * scales_.speed / 4 : 1e-3 * smallest_;
    scales_.tolerance = scheme.tolerance;
    const Ledger& before = journal_.summary.ledger;
    done_.pressed = before.dissipated_impacts + options.memory.stored;
    done_.rubbed = before.dissipated_slip;
    done_.damped = before.dissipated_dampers;
    done_.loads = before.work;
    if (options.so_far) recorded_ = options.next_record(start, start.t);
    if (goes_on_) archived(Archive(options.inner));
    told_at_ = state_.t;
  }

  RunSummary run() {
    const double end = begin_ + options_.duration;
    if (!goes_on_ && !options_.so_far) record_start();
    while (state_.t < end && journal_.goes_on(options_, state_)) {
      if (observer_.keeps_checkpoints()) observer_.checkpoint(state_.t, archived({}));
      if (!epoch(longest_epoch())) break;
      journal_.progress(state_.t);
    }
    if (tolerance_asked_ > 0 && journal_.summary.status == RunStatus::solved) {
      journal_.summary.status = RunStatus::approximate;
      journal_.summary.message =
          fmt::format("some motion could not be followed at the tolerance {:.1g}; {:.1g} was taken", tolerance_asked_,
                      scales_.tolerance);
    }
    const LocatedEpoch now(model_, rules_, law_, state_, contacts_, scales_);
    if (now.is_finite() && journal_.ends_early(state_) && told_at_ < state_.t) record(now, state_.t);
    account(now);
    tell_lasting(now);
    journal_.energies(state_);
    journal_.summary.memory.stored = journal_.summary.ledger.stored;
    return journal_.finished(state_);
  }

 private:
  /// Contacts are not yet found; what an earlier run left in them is known.
  void record_start() {
    journal_.summary.ledger.stored = options_.memory.stored;
    journal_.record(state_);
    if (journal_.wants_forces())
      journal_.forces(state_.t, {}, told_joints(model_, state_, std::vector<ContactForce>{}));
    ++recorded_;
  }

  /// [s] where nothing moves fast, as long as the fastest that is to be expected takes for some sizes.
  double longest_epoch() const {
    const double some = kSlowEpoch * smallest_ / scales_.speed;
    return some < kLongEpoch * options_.duration ? some : options_.duration;
  }

  /// All that is known between two epochs.
  std::string archived(Archive archive) {
    char kind = 'L';
    double interval = options_.interval;
    archive& kind& interval& recorded_& state_& acceleration_& tolerance_asked_& journal_& contacts_;
    archive& scales_.speed& scales_.depth& scales_.tolerance& scales_.first_step;
    archive& done_.pressed& done_.rubbed& done_.loads& done_.damped;
    if (archive.reads() && interval != options_.interval) recorded_ = options_.record_after(begin_, state_.t);
    return archive.bytes();
  }

  /// Moves on for at most `most` [s]: until pairs have to be found anew, or to the run's end. An epoch is as long as it
  /// would be in a longer run. False: it could not go on.
  bool epoch(double most) {
    const double fast = fastest_point(model_, search_, state_, smallest_);
    const double gain = std::max(acceleration_, fastest_gain(model_, state_));
    const auto [span, allowed] = epoch_span(model_, state_, fast, gain, kEpoch * smallest_, most);
    find_pairs(allowed * span);
    LocatedEpoch now(model_, rules_, law_, state_, contacts_, scales_);
    forces::Moment moment;
    const double rounding = 1e-14 * (std::abs(now.start()) + span), end = begin_ + options_.duration;
    for (long tries = 0; now.follower.t < span; ++tries) {
      if (tries > kTriesOfEpoch || !now.is_finite()) return coarser(now);
      const double next_record = options_.record_time(begin_, recorded_);
      const double record_at = next_record - now.start();
      now.motion.evaluate(now.follower.t, now.follower.y.data(), moment);
      const double before = now.follower.t;
      now.follower.step(moment, std::min(span, record_at) - now.follower.t);
      if (span - now.follower.t < rounding) now.follower.t = span;
      notice(now);
      if (record_at - now.follower.t < rounding) record(now, next_record);
      if (end - now.time() < rounding) break;
      if (now.follower.t > before && 2 * now.fastest() > allowed) break;
      if (options_.is_cancelled()) break;
    }
    store(now);
    if (end - state_.t < rounding) state_.t = end;
    return true;
  }

  void find_pairs(double distance) {
    NearContacts found = near_contacts(model_, search_, state_, distance, std::move(contacts_));
    for (LocatedContact& gone : found.gone)
      if (gone.state.phase != forces::Phase::open) close(gone, state_.t, 0);
    contacts_ = std::move(found.near);
  }

  /// Goes on from here less accurately, if that is possible.
  bool coarser(const LocatedEpoch& now) {
    const bool finite = now.is_finite();
    if (finite) store(now);
    if (tolerance_asked_ <= 0) tolerance_asked_ = scales_.tolerance;
    scales_.tolerance *= kCoarserMotion;
    if (finite && scales_.tolerance <= kCoarsestMotion) return true;
    journal_.summary.status = RunStatus::not_finished;
    journal_.summary.message =
        fmt::format("t = {:.9g} s: {}", state_.t,
                    finite ? "contacts change too often to be followed" : "the motion is no longer a number");
    return false;
  }

  /// What happened at the end of a step.
  void notice(LocatedEpoch& now) {
    if (now.follower.happened.empty()) return;
    const forces::Moment moment = now.moment();
    for (const forces::Event& event : now.follower.happened) {
      const Index i = event.contact;
      LocatedContact& one = contacts_[i];
      forces::ContactState& state = now.motion.state[i];
      const double gamma = moment.gamma[now.kinematics.row(i)];
      switch (event.what) {
        case forces::Happening::touches:
          one.closure = {.parts = one.pair.parts, .begin = now.time(), .approach = -gamma};
          one.work_before = -now.worked(i);
          one.impulse_before = -now.impulse(i);
          state.peak = state.deepest = 0;
          ++journal_.summary.impacts;
          journal_.happened(now.time(), RunEvent::Kind::closes, one.pair.parts);
          break;
        case forces::Happening::slips:
          journal_.happened(now.time(), RunEvent::Kind::slips, one.pair.parts);
          break;
        case forces::Happening::stops:
        case forces::Happening::sticks:
          journal_.happened(now.time(), RunEvent::Kind::sticks, one.pair.parts);
          break;
        case forces::Happening::opens:
        case forces::Happening::loosens: {
          note_peak(one, state, now.start());
          LocatedContact whole = one;
          whole.work_before += now.worked(i);
          whole.impulse_before += now.impulse(i);
          close(whole, now.time(), gamma);
          if (!now.motion.with_normal(i, []<class F>(const F&) { return F::remembers; })) state.touched = false;
          state.peak = state.deepest = 0;
          break;
        }
        default:
          break;
      }
    }
  }

  /// Tells the closure of a contact that ended; its work and impulse are known.
  void close(LocatedContact& one, double end, double departure) {
    one.closure.end = end;
    one.closure.departure = departure;
    one.closure.dissipated = one.work_before;
    one.closure.impulse = one.impulse_before;
    journal_.closure(one.closure);
  }

  /// What contacts that last where the run ends did so far.
  void tell_lasting(const LocatedEpoch& now) {
    const forces::Moment moment = now.moment();
    std::vector<ContactClosure> lasting;
    for (Index i = 0; i < now.kinematics.contacts(); ++i) {
      const LocatedContact& one = contacts_[i];
      if (one.state.phase == forces::Phase::open) continue;
      const LocatedEpoch::Stored stored = now.stored(i, moment);
      lasting.push_back(one.closure);
      lasting.back().end = state_.t;
      lasting.back().departure = moment.gamma[now.kinematics.row(i)];
      lasting.back().impulse = one.impulse_before;
      lasting.back().dissipated = one.work_before - stored.pressed - stored.along;
    }
    journal_.lasting(std::move(lasting));
  }

  void note_peak(LocatedContact& one, const forces::ContactState& state, double start) {
    RunSummary& summary = journal_.summary;
    if (state.peak > one.closure.peak_force) {
      one.closure.peak_force = state.peak;
      one.closure.peak_time = start + state.peak_time;
    }
    one.closure.deepest = std::max(one.closure.deepest, state.deepest);
    summary.deepest_penetration = std::max(summary.deepest_penetration, one.closure.deepest);
    if (one.closure.peak_force <= summary.peak_force) return;
    summary.peak_force = one.closure.peak_force;
    summary.peak_time = one.closure.peak_time;
    summary.peak_parts = one.pair.parts;
  }

  /// At the end of an epoch.
  void store(const LocatedEpoch& now) {
    state_ = now.state();
    if (!model_.description().joints.empty()) {
      Projected projected = project(model_, state_, {});
      journal_.summary.largest_joint_error = std::max(journal_.summary.largest_joint_error, projected.error);
      state_ = std::move(projected.state);
    }
    const LocatedEpoch::Work work = now.work();
    done_.pressed += work.pressed;
    done_.rubbed += work.rubbed;
    done_.loads += work.loads;
    done_.damped += work.damped;
    now.keep(contacts_);
    for (LocatedContact& one : contacts_) {
      note_peak(one, one.state, now.start());
      one.state.peak_time -= now.follower.t;
    }
    scales_.first_step = now.follower.proposed();
    journal_.summary.steps += now.follower.steps;
    journal_.summary.evaluations += now.motion.evaluations;
  }

  void account(const LocatedEpoch& now) {
    const LocatedEpoch::Stored stored = now.stored(now.moment());
    const LocatedEpoch::Work work = now.work();
    Ledger& ledger = journal_.summary.ledger;
    ledger.stored = stored.pressed + stored.along;
    ledger.dissipated_impacts = done_.pressed + work.pressed - stored.pressed;
    ledger.dissipated_slip = done_.rubbed + work.rubbed - stored.along;
    ledger.dissipated_dampers = done_.damped + work.damped;
    ledger.work = done_.loads + work.loads;
  }

  void record(const LocatedEpoch& now, double t) {
    account(now);
    State state = now.state();
    state.t = t;  // to the last digit
    journal_.record(state);
    if (journal_.wants_forces()) {
      const std::vector<ContactForce> forces = forces_of(now, now.moment());
      journal_.forces(state.t, forces, told_joints(model_, state, forces));
    }
    told_at_ = t;
    ++recorded_;
  }

  std::vector<ContactForce> forces_of(const LocatedEpoch& now, const forces::Moment& moment) const {
    const std::vector<ContactPair>& pairs = now.kinematics.pairs(now.follower.t, now.follower.y.data());
    std::vector<ContactForce> told;
    for (Index i = 0; i < now.kinematics.contacts(); ++i) {
      const forces::ContactState& state = now.motion.state[i];
      if (state.phase == forces::Phase::open) continue;
      const Index row = now.kinematics.row(i);
      const Eigen::Matrix3Xd t = now.kinematics.tangents_now(i);
      Vector3 T = Vector3::Zero(), slip = Vector3::Zero();
      for (Index k = 0; k < now.kinematics.tangents(i); ++k) {
        T += moment.force[row + 1 + k] * t.col(k);
        slip += moment.gamma[row + 1 + k] * t.col(k);
      }
      const geometry::ContactPoint& point = pairs[i].point;
      told.push_back({pairs[i].parts, middle_of(model_, pairs[i]), point.normal, moment.force[row], T, slip,
                      moment.d[i], mode_of(state)});
    }
    return told;
  }

  const Model& model_;
  const Compliant& law_;
  const RunOptions& options_;
  Observer& observer_;
  ContactRules rules_;
  ContactSearch search_;
  Journal journal_;
  State state_;
  double begin_, smallest_;
  double acceleration_ = 0;  // [m/s^2] that bodies may have without contacts
  LocatedScales scales_;
  double tolerance_asked_ = 0;  // where a larger one was taken
  LocatedEpoch::Work done_;     // in epochs that are over
  long recorded_ = 0;
  double told_at_ = 0;  // [s]
  std::vector<LocatedContact> contacts_;
  const bool goes_on_ = !options_.inner.empty();  // from a checkpoint
};

}  // namespace

RunSummary run_located(const Model& model, const State& start, const ForcedMotion& scheme, const Compliant& law,
                       const RunOptions& options, Observer& observer) {
  return LocatedRun(model, start, scheme, law, options, observer).run();
}

}  // namespace carom::simulate

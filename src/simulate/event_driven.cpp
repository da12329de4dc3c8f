#include "carom/simulate/event_driven.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "carom/model/kinks.h"
#include "carom/simulate/contact_search.h"
#include "carom/simulate/crossing.h"
#include "carom/simulate/crowd.h"
#include "carom/simulate/free_flight.h"
#include "carom/simulate/impacts.h"
#include "carom/simulate/magnitudes.h"
#include "carom/simulate/motion.h"
#include "carom/simulate/next_mode.h"
#include "carom/simulate/records.h"
#include "carom/simulate/resting.h"
#include "carom/simulate/step_checks.h"
#include "carom/simulate/step_limits.h"
#include "carom/simulate/watch.h"

namespace carom::simulate {
namespace {

constexpr double kTouching = 1e-9;     // of the smaller body's size: gaps up to this are closed at an event
constexpr double kNoApproach = 1e-10;  // of the speeds
constexpr double kAhead = 1e-3;  // of a step: how far ahead forces are looked at where a contact is about to change
constexpr double kNudge = 1e-7;  // of the speeds: an approach that starts an impact without collision
constexpr std::size_t kFewToJam = 12;  // contacts: of more, an impact without collision is no guess worth its work
constexpr double kGrowth = 6;          // of a step over the one before
constexpr long kLongestWait = 1024;    // steps until free flight is tried again
constexpr int kRetries = 8;            // of a step in which a contact was missed

class EventDrivenRun {
 public:
  EventDrivenRun(const Model& model, const State& start, const EventDriven& scheme, const ImpactLaw& law,
                 const RunOptions& options, Observer& observer)
      : model_(model),
        scheme_(scheme),
        options_(options),
        observer_(observer),
        rules_(model),
        search_(model, rules_),
        scales_(model, start, options.duration),
        journal_(model, start, options, observer),
        impacts_(model, rules_, law, options.sets, scheme, journal_),
        resting_(model),
        motion_(model, scheme, resting_, scales_, 1e-2 * scales_.time()),
        crowd_(model),
        crossing_(model, rules_, search_, law, journal_),
        start_(options.begin(start)),
        t_end_(start_ + options.duration),
        records_(model, search_, options, journal_, start_),
        now_{start} {
    scales_.speed = std::max(scales_.speed, options.memory.speed);
    impacts_.recall(options.memory.approach);
    const std::vector<PairRule>& rules = model.description().pairs;
    if (!options.so_far && std::any_of(rules.begin(), rules.end(), [](const PairRule& r) { return r.E0 || r.preload; }))
      impacts_.begin(search_.touching(start, kTouching));
    if (options.so_far) records_.go_on(options.next_record(start, start.t));
    if (goes_on_) go_on(Archive(options.inner));
  }

  RunSummary go() {
    if (!goes_on_) {
      settled_ = settle(now_.state);
      record_until(now_.state.t, nullptr);
    }
    const bool balls = options_.stop.empty() && options_.sets.empty() && !impacts_.may_bounce_for_ever() &&
                       FreeFlight::applies(model_);
    while (now_.state.t < t_end_ && goes_on()) {
      if (observer_.wants_checkpoint()) tell_checkpoint(motion_.pace());
      if (crossing_.is_under_way()) {
        settled_ = step_across();
      } else if (flight_ || (balls && settled_ && mode_.empty() && resting_.mode().empty() &&
                             journal_.summary.steps >= flies_after_)) {
        fly();
      } else if (settled_ && !crowd_.is_dense(now_.state.t, scales_.time())) {
        settled_ = advance();
      } else if (now_.state.t > jammed_ && is_jamming(model_, now_.state, mode_)) {
        jammed_ = now_.state.t;
        settled_ = jam(search_.touching(now_.state, kTouching));
      } else {
        crossing_.begin(crowd_.way_out(now_.state.t, scales_.time()), scales_.time());
        settled_ = step_across();
      }
      journal_.progress(now_.state.t);
    }
    if (now_.state.t < t_end_ && !told_end_) tell_checkpoint(motion_.pace());
    journal_.stops_at(options_, now_.state);
    records_.book(now_);
    if (journal_.ends_early(now_.state) && records_.told_at < now_.state.t) records_.tell(now_.state, told_mode());
    journal_.energies(now_.state);
    journal_.summary.evaluations += motion_.evaluations;
    journal_.summary.memory.speed = scales_.speed;
    journal_.summary.memory.approach = impacts_.fastest();
    return journal_.finished(now_.state);
  }

 private:
  bool goes_on() {
    RunSummary& summary = journal_.summary;
    if (const std::string body = body_out_of_range(model_, now_.state); !body.empty()) {
      summary.status = RunStatus::not_finished;
      summary.message = fmt::format("the state is no number any more at t = {:.9g} s: {}", now_.state.t, body);
    } else if (static_cast<double>(summary.impacts) >= scheme_.most_impacts) {
      summary.status = RunStatus::stopped;
      summary.message =
          fmt::format("{} impacts by t = {:.6g} s; scheme.most_impacts allows no more", summary.impacts, now_.state.t);
    }
    return journal_.goes_on(options_, now_.state);
  }

  /// Balls that nothing but impacts connects, until the end or until a contact is about to stay closed; again once all
  /// are open.
  void fly() {
    if (!flight_) {
      flight_ = std::make_unique<FreeFlight>(model_, rules_, impacts_, now_.state);
      impacts_before_flight_ = journal_.summary.impacts;
    }
    FreeFlight& flight = *flight_;
    bool ends = false;  // the run, here
    const auto after_impact = [&](double t) {
      journal_.progress(t);
      ends = static_cast<double>(journal_.summary.impacts) >= scheme_.most_impacts || options_.is_cancelled();
      return !ends;
    };
    journal_.completes([&](const State& state) { return flight.completed(state); });
    bool flying = true;
    while (flying && now_.state.t < t_end_ && !ends) {
      flying = flight.advance(std::min(records_.next(), t_end_), after_impact) || ends;
      now_.state = flight.state();
      ends = ends || options_.is_cancelled();
      if (flying && (ends || now_.state.t >= t_end_)) {
        tell_checkpoint(motion_.pace());
        told_end_ = true;
      } else if (flying && observer_.wants_checkpoint()) {
        tell_checkpoint(motion_.pace());
      }
      if (flying && !ends) record_until(now_.state.t, nullptr);
      journal_.progress(now_.state.t);
    }
    scales_.see(model_, now_.state);
    flight.tell_sequences();
    journal_.completes(nullptr);
    flight_.reset();
    if (flying) return;
    settled_ = settle(now_.state);
    // What ends flight at once would do so again: the more often, the later it is tried.
    const bool far = journal_.summary.impacts > impacts_before_flight_ + static_cast<long>(model_.bodies().size());
    steps_between_flights_ = far ? 1 : std::min(kLongestWait, 2 * steps_between_flights_);
    flies_after_ = journal_.summary.steps + steps_between_flights_;
  }

  // ---- Smooth motion

  /// One step, up to its first event. False if there is no such step, or if what follows it could not be decided.
  bool advance() {
    const double t = now_.state.t;
    const Motion::Pace pace = motion_.pace();
    double most = plain_time(model_, t, std::min(longest_step(model_, options_, scales_), kGrowth * pace.proposed),
                             scales_.length);
    const std::optional<double> kink = next_kink(model_, t, t + most);
    if (kink) most = std::nextafter(*kink, t) - t;
    for (int retry = 0;; ++retry, most *= 0.25) {
      const Motion::Step step = motion_.step(now_, mode_, most, scales_);
      if (!step.found) return false;
      const TrajectoryStep trajectory = motion_.trajectory();
      const std::optional<double> closing = search_.first_closing(trajectory, joined(mode_, resting_.mode()).closed);
      const std::optional<double> change = first_change(model_, trajectory, closing.value_or(1), mode_, scales_);
      double theta = std::min(closing.value_or(1), change.value_or(1));
      const std::optional<double> stop = first_stop(model_, options_.stop, trajectory, theta);
      theta = stop.value_or(theta);
      bool event = !stop && (closing || change);
      const State ahead = trajectory.at(std::min(theta + kAhead, 1 + kAhead));
      if (retry < kRetries && leads_into_overlap(model_, search_, now_.state,
                                                 event ? trajectory.at(theta) : motion_.end().state, scheme_.tolerance))
        continue;
      Moment end = theta < 1 ? motion_.end_after(theta * step.h) : motion_.end();
      Projected held = project(model_, end.state, mode_);
      if (!keeps_energy(model_, now_, end, held.state, scales_, scheme_.tolerance)) {
        if (retry < kRetries) continue;
        return false;
      }
      // A step leads as far as it does in a longer run, which can go on from before it.
      const double left = t_end_ - now_.state.t;
      const bool beyond = theta * step.h > left, last = beyond || now_.state.t + theta * step.h >= t_end_;
      if (last || stop) {
        tell_checkpoint(pace);
        told_end_ = true;
      }
      if (beyond) event = false;
      if (step.error > 1)
        journal_.approximate(now_.state.t, Rung::best_found, scheme_.tolerance * step.error, "the motion itself");
      record_until(last ? std::nextafter(t_end_, t) : now_.state.t + theta * step.h, &trajectory);
      if (beyond) {
        end = motion_.end_after(left);
        held = project(model_, end.state, mode_);
      }
      take(std::move(end), held);
      const bool at_kink = kink && !beyond && theta == 1 && step.h >= most;
      if (last) now_.state.t = t_end_;
      if (last) record_until(t_end_, nullptr);  // the end as the summary has it
      if (at_kink) now_.state.t = *kink;
      ++journal_.summary.steps;
      crowd_.step(mode_.closed.size());
      if (stop || beyond) return true;  // the run ends here
      if (event || at_kink || retry > 0) return settle(change && *change <= theta ? ahead : now_.state);
      return follow_closed(step.crawls);
    }
  }

  void take(Moment end, const Projected& projected) {
    RunSummary& summary = journal_.summary;
    summary.largest_joint_error = std::max(summary.largest_joint_error, projected.error);
    end.state = projected.state;
    now_ = std::move(end);
    scales_.see(model_, now_.state);
  }

  bool follow_closed(bool crawls) {
    if (mode_.empty()) return true;
    Tracked followed = follow(model_, now_.state, mode_);
    mode_ = std::move(followed.mode);
    const bool stopped = look_at_slip(model_, now_.state, crawls, scales_, mode_);
    return followed.lost || stopped ? settle(now_.state) : true;
  }

  // ---- Events

  /// [m/s] below it two bodies neither approach nor part.
  double no_approach() const { return std::max(impacts_.still(), kNoApproach * scales_.speed); }

  /// Impacts until nothing approaches, then forces decide which contacts stay closed, and how. False if they do not.
  bool settle(const State& ahead) {
    crowd_.event();
    const std::vector<ContactPair> pairs = search_.touching(now_.state, kTouching);
    const bool jumped = impacts_.collide(now_.state, pairs, kNoApproach * scales_.speed);
    scales_.see(model_, now_.state);
    NextMode next{FoundForces::Kind::found, {}, now_.state, 0, false, false};
    for (const Island& island : islands(model_, pairs)) {
      if (resting_.contains(now_.state, island)) continue;
      const Mode released = resting_.release(island);
      Mode before;
      if (!jumped) before = joined(part_of(mode_, island), released);
      NextMode one = next_mode(model_, rules_, next.state, jumped ? next.state : ahead, island.pairs, before, scales_,
                               no_approach());
      if (one.ambiguous) ++journal_.summary.ambiguous_forces;
      if (one.kind == FoundForces::Kind::none) return jam(pairs);
      if (one.kind == FoundForces::Kind::unknown) return one.slides && pairs.size() <= kFewToJam && jam(pairs);
      next.state = std::move(one.state);
      for (std::size_t i = 0; i < one.mode.closed.size(); ++i)
        next.mode.add(one.mode.closed[i], one.mode.tangential[i]);
    }
    const bool changed = jumped || !same_mode(mode_, next.mode);
    mode_ = next.mode;
    stand(next.state);
    return hold_on(!changed && ahead.t > now_.state.t ? ahead : now_.state);
  }

  /// An event must change something: a mode that does not hold where it begins would end in the same event again.
  /// Where forces would leave it as it was, those a little ahead tell who lets go.
  bool hold_on(const State& where) {
    std::optional<Mode> holding = amended(model_, where, mode_, scales_);
    if (!holding) return false;
    mode_ = *std::move(holding);
    resting_.take(now_.state, mode_, scales_);
    if (journal_.wants_forces()) journal_.contacts_now(now_.state, joined(mode_, resting_.mode()));
    return true;
  }

  /// Takes a state with what was left of velocities and overlaps removed.
  void stand(const State& state) {
    const double before = energy_of(model_, now_.state);
    now_.state = project(model_, state, mode_).state;
    journal_.summary.ledger.correction += energy_of(model_, now_.state) - before;
  }

  /// No forces exist: friction presses a contact that slips. Its velocity jumps, as in an impact that starts with no
  /// approach [Painleve; Genot, Brogliato 1999]: followed by contact springs without restitution.
  bool jam(const std::vector<ContactPair>& pairs) {
    ++journal_.summary.impacts_without_collision;
    for (const Island& island : islands(model_, pairs))
      now_.state = impacts_.without_collision(now_.state, island, kNudge * scales_.speed);
    const NextMode next = next_mode(model_, rules_, now_.state, now_.state, pairs, {}, scales_, no_approach());
    if (next.kind != FoundForces::Kind::found) return false;
    resting_.release_all();
    mode_ = next.mode;
    stand(next.state);
    return hold_on(now_.state);
  }

  /// A time step across what events cannot resolve. At the other side, or where all have come to rest, forces decide.
  bool step_across() {
    const double left = t_end_ - now_.state.t;
    if (crossing_.step() >= left) {
      tell_checkpoint(motion_.pace());
      told_end_ = true;
    }
    records_.book(now_);
    now_.state =
        crossing_.after(now_.state, left, scales_.time(), search_.touching(now_.state, kTouching), mode_.closed);
    mode_ = {};
    resting_.release_all();
    if (!now_.state.u.allFinite()) return false;
    const bool arrived = !crossing_.is_under_way() || now_.state.t >= t_end_;
    const bool settled = (arrived || crossing_.comes_to_rest(now_.state, scales_)) && settle(now_.state);
    if (arrived || settled) {
      crossing_.end();
      crowd_.crossed(now_.state.t);
    }
    record_until(now_.state.t, nullptr);
    return settled;
  }

  // ---- Records

  void record_until(double t, const TrajectoryStep* step) {
    if (records_.is_due(t)) records_.until(t, step, now_, told_mode());
  }

  /// The contacts whose forces are told.
  Mode told_mode() const { return journal_.wants_forces() && settled_ ? joined(mode_, resting_.mode()) : Mode{}; }

  // ---- Checkpoints

  /// All that the run knows between two steps.
  void archived(Archive& archive, Motion::Pace& pace, double& interval) {
    archive& interval& scales_.length& scales_.speed& scales_.mass& journal_& impacts_& resting_& crowd_;
    archive& pace.proposed& pace.evaluations& mode_& settled_& jammed_& records_
        .told_at& flies_after_& steps_between_flights_;
    archive& crossing_;
    for (Moment* one : {&now_, &records_.entered}) archive & one->state & one->work & one->damped & one->friction_work;
    bool flies = flight_ != nullptr;
    archive& flies;
    if (flies && !flight_) flight_ = std::make_unique<FreeFlight>(model_, rules_, impacts_, now_.state);
    if (flies) archive&* flight_& impacts_before_flight_;
  }

  void tell_checkpoint(Motion::Pace pace) {
    if (!observer_.keeps_checkpoints()) return;
    Archive archive;
    double interval = options_.interval;
    archived(archive, pace, interval);
    observer_.checkpoint(now_.state.t, archive.bytes());
  }

  void go_on(Archive archive) {
    Motion::Pace pace;
    double interval = 0;
    archived(archive, pace, interval);
    motion_.take(pace);
    if (interval == options_.interval)
      records_.go_on(options_.record_after(start_, records_.told_at));
    else  // what the step before has passed is not told any more
      records_.go_on(options_.record_after(start_, std::nextafter(now_.state.t, start_)));
  }

  const Model& model_;
  const EventDriven& scheme_;
  const RunOptions& options_;
  Observer& observer_;
  const ContactRules rules_;
  const ContactSearch search_;
  Scales scales_;
  Journal journal_;
  Impacts impacts_;
  Resting resting_;
  Motion motion_;
  Crowd crowd_;
  Crossing crossing_;
  const double start_, t_end_;
  Records records_;
  Moment now_;
  Mode mode_;                                                 // of what does not rest
  long flies_after_ = 0, steps_between_flights_ = 1;          // by the count of steps
  bool settled_ = false;                                      // the mode is that of now
  double jammed_ = -std::numeric_limits<double>::infinity();  // [s] once at a time
  std::unique_ptr<FreeFlight> flight_;                        // where balls fly
  long impacts_before_flight_ = 0;
  const bool goes_on_ = !options_.inner.empty();  // from a checkpoint
  bool told_end_ = false;                         // the checkpoint before the run's end
};

}  // namespace

RunSummary run_event_driven(const Model& model, const State& start, const EventDriven& scheme, const ImpactLaw& law,
                            const RunOptions& options, Observer& observer) {
  return EventDrivenRun(model, start, scheme, law, options, observer).go();
}

}  // namespace carom::simulate

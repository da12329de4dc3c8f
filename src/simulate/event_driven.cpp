#include "carom/simulate/event_driven.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "carom/model/kinks.h"
#include "carom/simulate/contact_search.h"
#include "carom/simulate/crowd.h"
#include "carom/simulate/free_flight.h"
#include "carom/simulate/impacts.h"
#include "carom/simulate/magnitudes.h"
#include "carom/simulate/moreau_step.h"
#include "carom/simulate/motion.h"
#include "carom/simulate/next_mode.h"
#include "carom/simulate/resting.h"
#include "carom/simulate/told_forces.h"
#include "carom/simulate/watch.h"

namespace carom::simulate {
namespace {

constexpr double kTouching = 1e-9;     // of the smaller body's size: gaps up to this are closed at an event
constexpr double kNoApproach = 1e-10;  // of the speeds
constexpr double kAhead = 1e-3;  // of a step: how far ahead forces are looked at where a contact is about to change
constexpr double kNudge = 1e-7;  // of the speeds: an approach that starts an impact without collision
constexpr int kMostImpactsAtOnce = 60;
constexpr double kGrowth = 6;  // of a step over the one before
constexpr double kTravel = 4;  // sizes that the fastest of many bodies may move in a step
constexpr double kMissed =
    1e-8;  // of the smaller body's size: a deeper overlap at the end of a step was missed inside it
constexpr double kMissedErrors = 100;   // of the tolerance: the same, where the motion is followed less accurately
constexpr double kBalance = 1e-6;       // of the energies: what a step may leave open
constexpr double kBalanceErrors = 1e3;  // of the tolerance: the same
constexpr double kLookForRest = 5e-3;   // of the duration: longest step where a run ends at rest
constexpr long kLongestWait = 1024;     // steps until free flight is tried again
constexpr int kRetries = 8;             // of a step in which a contact was missed

/// A law that follows waves through an impact has no time steps: there every approach is stopped.
ImpactLaw plastic_where_waves_run(const ImpactLaw& law) {
  return has_path(law) ? ImpactLaw(Newton{}) : law;
}

class EventDrivenRun {
 public:
  EventDrivenRun(const Model& model, const State& start, const EventDriven& scheme, const ImpactLaw& law,
                 const RunOptions& options, Observer& observer)
      : model_(model),
        scheme_(scheme),
        law_(law),
        options_(options),
        rules_(model),
        search_(model, rules_),
        scales_(model, start, options.duration),
        journal_(model, start, options, observer),
        impacts_(model, rules_, law, options.sets, scheme, journal_),
        resting_(model),
        motion_(model, scheme, resting_, scales_, std::min(options.duration, 1e-2 * scales_.time())),
        crowd_(model),
        start_(options.begin(start)),
        t_end_(start_ + options.duration),
        now_{start} {
    scales_.speed = std::max(scales_.speed, options.memory.speed);
    impacts_.recall(options.memory.approach);
    const std::vector<PairRule>& rules = model.description().pairs;
    if (!options.so_far && std::any_of(rules.begin(), rules.end(), [](const PairRule& r) { return r.E0 || r.preload; }))
      impacts_.begin(search_.touching(start, kTouching));
    if (options.so_far) recorded_ = options.next_record(start, start.t);
    next_record_ = std::min(t_end_, start_ + static_cast<double>(recorded_) * options.interval);
  }

  RunSummary go() {
    settled_ = settle(now_.state);
    record_until(now_.state.t, nullptr);
    const bool balls = options_.stop.empty() && options_.sets.empty() && !impacts_.may_bounce_for_ever() &&
                       FreeFlight::applies(model_);
    double jammed = -std::numeric_limits<double>::infinity();  // [s] once at a time
    while (now_.state.t < t_end_ && goes_on()) {
      if (balls && settled_ && mode_.empty() && resting_.mode().empty() && journal_.summary.steps >= flies_after_) {
        fly();
      } else if (settled_ && !crowd_.is_dense(now_.state.t, scales_.time())) {
        settled_ = advance();
      } else if (now_.state.t > jammed && is_jamming(model_, now_.state, mode_)) {
        jammed = now_.state.t;
        settled_ = jam(search_.touching(now_.state, kTouching));
      } else {
        settled_ = cross();
      }
      journal_.progress(now_.state.t);
    }
    journal_.stops_at(options_, now_.state);
    book(now_);
    if (journal_.summary.status == RunStatus::stopped && told_at_ < now_.state.t) tell(now_.state);
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
    FreeFlight flight(model_, rules_, impacts_, now_.state);
    const auto after_impact = [&](double t) {
      journal_.progress(t);
      return static_cast<double>(journal_.summary.impacts) < scheme_.most_impacts && !options_.is_cancelled();
    };
    const long before = journal_.summary.impacts;
    bool flying = true;
    while (flying && now_.state.t < t_end_ && !options_.is_cancelled()) {
      flying = flight.advance(std::min(next_record_, t_end_), after_impact);
      now_.state = flight.state();
      if (flying) record_until(now_.state.t, nullptr);
      journal_.progress(now_.state.t);
    }
    scales_.see(model_, now_.state);
    flight.tell_sequences();
    if (flying) return;
    settled_ = settle(now_.state);
    // What ends flight at once would do so again: the more often, the later it is tried.
    const bool far = journal_.summary.impacts > before + static_cast<long>(model_.bodies().size());
    steps_between_flights_ = far ? 1 : std::min(kLongestWait, 2 * steps_between_flights_);
    flies_after_ = journal_.summary.steps + steps_between_flights_;
  }

  // ---- Smooth motion

  /// One step, up to its first event. False if there is no such step, or if what follows it could not be decided.
  bool advance() {
    const double t = now_.state.t;
    double most =
        plain_time(model_, t, std::min({t_end_ - t, longest_step(), kGrowth * motion_.proposed()}), scales_.length);
    const std::optional<double> kink = next_kink(model_, t, t + most);
    if (kink) most = std::nextafter(*kink, t) - t;
    for (int retry = 0;; ++retry, most *= 0.25) {
      const Motion::Step step = motion_.step(now_, mode_, most, scales_);
      if (!step.found) return false;
      const TrajectoryStep trajectory = motion_.trajectory();
      const std::optional<double> closing = search_.first_closing(trajectory, joined(mode_, resting_.mode()).closed);
      const std::optional<double> change = first_change(model_, trajectory, mode_, scales_);
      double theta = std::min(closing.value_or(1), change.value_or(1));
      const std::optional<double> stop = first_stop(model_, options_.stop, trajectory, theta);
      theta = stop.value_or(theta);
      const bool event = !stop && (closing || change);
      const State ahead = trajectory.at(std::min(theta + kAhead, 1 + kAhead));
      if (retry < kRetries && missed(event ? trajectory.at(theta) : motion_.end().state)) continue;
      if (!balances(trajectory, theta)) {
        if (retry < kRetries) continue;
        return false;
      }
      if (step.error > 1)
        journal_.approximate(now_.state.t, Rung::best_found, scheme_.tolerance * step.error, "the motion itself");
      const bool last = theta * step.h >= t_end_ - now_.state.t;
      record_until(last ? t_end_ : now_.state.t + theta * step.h, &trajectory);
      take(theta < 1 ? motion_.end_after(theta * step.h) : motion_.end());
      const bool at_kink = kink && theta == 1 && step.h >= most;
      if (last) now_.state.t = t_end_;
      if (at_kink) now_.state.t = *kink;
      ++journal_.summary.steps;
      crowd_.step();
      if (stop) return true;  // the run ends here
      if (event || at_kink || retry > 0) return settle(change && *change <= theta ? ahead : now_.state);
      return follow_closed(step.crawls);
    }
  }

  /// So that each of many bodies meets few others in a step.
  double longest_step() const {
    if (options_.stop.at_rest) return kLookForRest * options_.duration;
    const double many = static_cast<double>(model_.bodies().size()) / 64;
    return many < 1 ? options_.duration : kTravel / many * scales_.time();
  }

  void take(Moment end) {
    const Projected projected = project(model_, end.state, mode_);
    RunSummary& summary = journal_.summary;
    summary.largest_joint_error = std::max(summary.largest_joint_error, projected.error);
    end.state = projected.state;
    now_ = std::move(end);
    scales_.see(model_, now_.state);
  }

  /// Whether energy went where the motion says, and friction took some: what looks smooth may lead past a change of
  /// contacts.
  bool balances(const TrajectoryStep& step, double theta) const {
    const State end = step.at(theta), kept = project(model_, end, mode_).state;
    const double gained = energy_of(kept) - energy_of(now_.state), worked = step.work(theta) - now_.work,
                 damped = step.damped(theta) - now_.damped,
                 friction_work = step.friction_work(theta) - now_.friction_work;
    const double moved = model_.M().kinetic_energy(now_.state.u) + model_.M().kinetic_energy(end.u) + std::abs(worked);
    const double most = std::max(kBalance, kBalanceErrors * scheme_.tolerance) * (moved + kBalance * scales_.energy());
    return std::abs(gained - worked + damped + friction_work) <= most && friction_work >= -most;
  }

  /// Whether bodies overlap at the end of a step that nobody announced: looked for anew, not by the search for
  /// closings.
  bool missed(const State& state) const {
    const double unseen = std::max(kMissed, kMissedErrors * scheme_.tolerance);
    const std::vector<ContactPair> pairs = search_.touching(state, 0);
    return std::any_of(pairs.begin(), pairs.end(), [&](const ContactPair& pair) {
      return pair.point.gap < -unseen * search_.smaller_size(pair.parts) &&
             -pair.point.gap > 2 * known_overlap(pair.parts);
    });
  }

  /// How deep a pair was at the start of the step.
  double known_overlap(const PartPair& parts) const {
    std::vector<ContactPair> found;
    find_contact_pairs(model_, now_.state, parts, -std::numeric_limits<double>::infinity(), found);
    return found.empty() ? 0 : std::max(0.0, -found.front().point.gap);
  }

  /// Slip in space that fades in ever shorter steps may have come to rest.
  bool follow_closed(bool crawls) {
    if (mode_.empty()) return true;
    Tracked followed = follow(model_, now_.state, mode_);
    mode_ = std::move(followed.mode);
    const bool space = model_.dimension() == Dimension::space;
    bool stopped = followed.lost;
    for (std::size_t i = 0; i < mode_.closed.size(); ++i) {
      TangentialState& tangential = mode_.tangential[i];
      if (tangential.mode != ContactMode::slip) continue;
      const Vector3 slip = slip_velocity(model_, now_.state, mode_.closed[i]);
      if (slip.norm() > slow_slip(scales_)) {
        tangential.starting = false;
        tangential.heading = slip.normalized();
        stopped = stopped || (space && crawls && slip.norm() <= slip_of_rest(scales_));
      } else if (!tangential.starting && space) {
        stopped = true;
      }
    }
    return stopped ? settle(now_.state) : true;
  }

  // ---- Events

  /// [m/s] below it two bodies neither approach nor part.
  double no_approach() const { return std::max(impacts_.still(), kNoApproach * scales_.speed); }

  /// Impacts until nothing approaches, then forces decide which contacts stay closed, and how. False if they do not.
  bool settle(const State& ahead) {
    crowd_.event();
    const std::vector<ContactPair> pairs = search_.touching(now_.state, kTouching);
    const bool jumped = collide(pairs);
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
      if (one.kind == FoundForces::Kind::unknown) return one.slides && jam(pairs);
      next.state = std::move(one.state);
      for (std::size_t i = 0; i < one.mode.closed.size(); ++i)
        next.mode.add(one.mode.closed[i], one.mode.tangential[i]);
    }
    const bool changed = jumped || !same(mode_, next.mode);
    mode_ = next.mode;
    stand(next.state);
    return hold_on(!changed && ahead.t > now_.state.t ? ahead : now_.state);
  }

  static bool same(const Mode& a, const Mode& b) {
    if (a.closed.size() != b.closed.size()) return false;
    for (std::size_t i = 0; i < a.closed.size(); ++i)
      if (!a.closed[i].same_as(b.closed[i]) || a.tangential[i].mode != b.tangential[i].mode) return false;
    return true;
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
    const double before = energy_of(now_.state);
    now_.state = project(model_, state, mode_).state;
    journal_.summary.ledger.correction += energy_of(now_.state) - before;
  }

  double energy_of(const State& state) const {
    return model_.M().kinetic_energy(state.u) + potential_energy(model_, state);
  }

  /// Impacts of all islands that approach, again and again if they throw contacts onto others. Whether there were any.
  bool collide(const std::vector<ContactPair>& pairs) {
    bool any = false;
    const std::vector<Island> all = islands(model_, pairs);
    for (int round = 0; round < kMostImpactsAtOnce; ++round) {
      bool approaching = false;
      for (const Island& island : all) {
        if (!(impacts_.approach(now_.state, island) > no_approach())) continue;
        approaching = any = true;
        now_.state =
            round + 1 < kMostImpactsAtOnce ? impacts_.after(now_.state, island) : impacts_.stopped(now_.state, island);
        if (!now_.state.u.allFinite()) return any;
      }
      if (!approaching) break;
    }
    return any;
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

  /// A short time step leads across what events cannot resolve.
  bool cross() {
    const double h = std::min(crowd_.way_out(now_.state.t, scales_.time()), t_end_ - now_.state.t);
    // Of first order where contacts act, of second order else.
    const double error = std::pow(h / scales_.time(), search_.touching(now_.state, kTouching).empty() ? 2 : 1);
    journal_.approximate(now_.state.t, Rung::crossed, error, journal_.names(mode_.closed));
    const TimeStepping scheme{.step = h};
    MoreauStep step(model_, rules_, search_, plastic_where_waves_run(law_), scheme, journal_);
    book(now_);
    now_.state = step.after(now_.state, h);
    mode_ = {};
    resting_.release_all();
    crowd_.crossed(now_.state.t);
    if (!now_.state.u.allFinite()) return false;
    part();
    const bool settled = settle(now_.state);
    record_until(now_.state.t, nullptr);
    return settled;
  }

  /// Removes the overlaps that a time step leaves.
  void part() {
    Mode overlapping;
    for (const ContactPair& pair : search_.touching(now_.state, 0)) overlapping.add(pair, {});
    const double before = energy_of(now_.state);
    now_.state.q = project(model_, now_.state, overlapping).state.q;
    journal_.summary.ledger.correction += energy_of(now_.state) - before;
  }

  // ---- Records

  /// Adds what happened between impacts since the last time to the ledger.
  void book(const Moment& moment) {
    Ledger& ledger = journal_.summary.ledger;
    ledger.work += moment.work - entered_.work;
    ledger.dissipated_dampers += moment.damped - entered_.damped;
    ledger.dissipated_slip += moment.friction_work - entered_.friction_work;
    entered_ = {{}, moment.work, moment.damped, moment.friction_work};
  }

  void record_until(double t, const TrajectoryStep* step) {
    while (next_record_ <= t && recorded_ <= last_record()) {
      Moment moment = now_;
      if (step) {
        const double theta = (next_record_ - step->start()) / step->length();
        moment = {step->at(theta), step->work(theta), step->damped(theta), step->friction_work(theta)};
      }
      book(moment);
      measure(moment.state);
      tell(moment.state);
      ++recorded_;
      next_record_ = std::min(t_end_, start_ + static_cast<double>(recorded_) * options_.interval);
    }
  }
  long last_record() const { return static_cast<long>(std::ceil(options_.duration / options_.interval - 1e-9)); }

  void tell(const State& state) {
    journal_.record(state);
    if (journal_.wants_forces()) tell_forces(state);
    told_at_ = state.t;
  }

  /// Those of the present mode at a state that it leads to.
  void tell_forces(const State& state) {
    const Mode closed = settled_ ? follow(model_, state, joined(mode_, resting_.mode())).mode : Mode{};
    const Reactions reactions = react(model_, state, closed);
    journal_.forces(state.t, told_contacts(model_, state, closed, reactions),
                    told_joints(model_, state, reactions.joints, reactions.open_joints));
  }

  void measure(const State& state) {
    double& deepest = journal_.summary.deepest_penetration;
    for (const ContactPair& pair : search_.touching(state, 0)) deepest = std::max(deepest, -pair.point.gap);
  }

  const Model& model_;
  const EventDriven& scheme_;
  const ImpactLaw& law_;
  const RunOptions& options_;
  const ContactRules rules_;
  const ContactSearch search_;
  Scales scales_;
  Journal journal_;
  Impacts impacts_;
  Resting resting_;
  Motion motion_;
  Crowd crowd_;
  const double start_, t_end_;
  long recorded_ = 0;
  double next_record_ = 0;
  double told_at_ = -std::numeric_limits<double>::infinity();  // [s]
  Moment now_, entered_;
  Mode mode_;                                         // of what does not rest
  long flies_after_ = 0, steps_between_flights_ = 1;  // by the count of steps
  bool settled_ = false;                              // the mode is that of now
};

}  // namespace

RunSummary run_event_driven(const Model& model, const State& start, const EventDriven& scheme, const ImpactLaw& law,
                            const RunOptions& options, Observer& observer) {
  return EventDrivenRun(model, start, scheme, law, options, observer).go();
}

}  // namespace carom::simulate

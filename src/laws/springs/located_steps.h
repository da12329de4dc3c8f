#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "carom/laws/springs/driver.h"
#include "carom/laws/springs/waves.h"
#include "carom/numerics/runge_kutta.h"

namespace carom::springs {

/// A method: steps that all contacts of the window make together. Inside a step the motion is smooth: where a contact
/// changes its phase in a way that the outcome would show, the step is cut there.
template <class Pair>
class LocatedSteps {
 public:
  explicit LocatedSteps(Waves& waves)
      : waves_(waves),
        window_(waves.window),
        motion_{window_, waves.system().exponents},
        control_(Pair::error_order),
        h_(waves.next_step),
        coarse_(waves.is_coarse()) {
    resize();
  }

  bool anything_alive() const { return waves_.anything_alive(); }
  bool is_exhausted() const { return waves_.is_exhausted() || !(clock_.length > shortest()); }
  bool may_end(double share) { return waves_.dies_out(share); }

  /// Chooses the length of the next step, its clock, and whether it aims at a release. False if a release was due at
  /// once and there is no step to make.
  bool prepare() {
    clock_ = {Clock::Kind::plain, h_};
    if (window_.changed) {
      stepper_.start(clocked(), 0, window_.y.data());
      window_.changed = false;
    }
    aim_ = -1;
    if (waves_.state.time == 0) {
      clock_.kind = Clock::Kind::starts;
    } else if (const auto [l, time] = next_release(1.5 * h_); l >= 0) {
      if (time <= shortest()) {
        due_[l] = Event::opens;
        pass_events(waves_.state.time);
        return false;
      }
      if (missed_aim_) {
        clock_.length = std::min(h_, 0.5 * time);
      } else {
        const double eta = spring(l).power.eta;
        clock_ = {eta == std::floor(eta) ? Clock::Kind::plain : Clock::Kind::ends, time};
        aim_ = l;
      }
    }
    ++waves_.state.steps;
    return true;
  }

  /// Tries the step; if it aims at a release, corrects its length by Newton's method. False if its error is too large.
  bool attempt() {
    const bool aimed = aim_ >= 0;
    const Index target = aim_;
    double error = try_step();
    for (int correction = 0; error <= 1 && aimed; ++correction) {
      const double s = stepper_.end()[target];
      const double speed = window_.phi_out[target] * window_.gamma_at(target, stepper_.end());
      aim_ = std::abs(s) <= arrived(target) ? target : -1;
      if (aim_ >= 0 || correction == kCorrections || !(std::abs(s) < 0.5 * speed * clock_.length)) break;
      clock_.length += s / speed;
      error = try_step();
    }
    if (!(error <= 1)) {
      window_.changed = !clock_.is_plain();
      missed_aim_ = aimed;
      if (!aimed) h_ = control_.after_failure(clock_.length, error);
      return false;
    }
    finish();
    if (clock_.is_plain() && !aimed) {
      const double next = control_.after_success(clock_.length, error);
      h_ = clock_.length < h_ ? std::max(h_, next) : next;
    }
    return true;
  }

  /// The part of the step up to its first significant event, 1 if there is none. Notes what is due then, and the
  /// largest indentations on the way.
  double first_event() {
    interpolated_ = false;
    found_.clear();
    for (Index l = 0; l < window_.size(); ++l) {
      if (spring(l).missed(contact(l), stepper_.end()[l], window_.gamma[l]) != Event::none)
        locate_missed(l);
      else if (may_turn_twice(l))
        locate_double_turn(l);
    }
    double first = 1;
    for (const Found& found : found_) first = std::min(first, found.at);
    if (first < 1)
      for (const Found& found : found_)
        if (found.at <= first + kSimultaneous) due_[found.l] = found.event;
    return first;
  }

  /// Takes a part of the tried step, and what happens at its end.
  void take(double part) {
    const double start = waves_.state.time;
    s_start_.assign(window_.y.begin(), window_.y.begin() + window_.size());
    double length = clock_.length;
    if (part < 1) {
      length = clock_.time(part);
      if (length <= shortest()) length = 0;
      cut(length);
    } else if (aim_ >= 0) {
      for (Index l = 0; l < window_.size(); ++l)  // in a symmetric impact it is not alone
        if (l == aim_ || (window_.phi_out[l] == window_.phi_out[aim_] && stepper_.end()[l] == stepper_.end()[aim_] &&
                          phase(l) == Phase::expansion))
          due_[l] = Event::opens;
    }
    if (length > 0) {
      std::copy(stepper_.end(), stepper_.end() + 2 * window_.size(), window_.y.begin());
      if (clock_.is_plain())
        stepper_.advance();
      else
        window_.changed = true;
    }
    waves_.state.time += length;
    missed_aim_ = false;
    if (waves_.is_recorded() && force_jumps()) waves_.record();  // before and after
    pass_events(start);
  }

  bool has_ended() {
    waves_.record();
    return looks_for_the_end() && waves_.dies_out(kLook);
  }

  /// Makes another window where this one is stale; false if another method suits that better.
  bool still_suits() {
    if (!waves_.is_stale()) return true;
    waves_.leave();
    waves_.follow();
    if (waves_.is_coarse() != coarse_ || waves_.is_multirate()) {
      waves_.next_step = h_;
      return false;
    }
    resize();
    return true;
  }

 private:
  using Stepper = numerics::RungeKutta<Pair>;
  using Polynomial = numerics::Bernstein<Stepper::degree>;

  static constexpr double kShortest = 1e-17;      // step, in units of the impact's own time: shorter ones are none
  static constexpr double kInsignificant = 0.2;   // of the error of a step: a kink that changes less is not located
  static constexpr double kSimultaneous = 1e-11;  // of a step: events closer than this are one
  static constexpr double kArrived = 1e-2;        // of the error of a step: s this near to zero is a release
  static constexpr int kCorrections = 4;          // of the end of a step towards a release
  static constexpr long kEventsPerLook = 64;      // between looks at whether the impact is dying out, or
  static constexpr long kStepsPerLook = 256;

  struct Found {
    double at;  // part of the step
    Index l;
    Event event;
  };
  struct Peak {
    Index l;
    double s, time;
  };

  double arrived(Index l) const {
    return kArrived * waves_.system().step_error * spring(l).slack(contact(l)) * spring(l).depth;
  }
  double shortest() const { return kShortest * waves_.system().time_scale; }
  const Spring& spring(Index l) const { return waves_.spring(window_, l); }
  SpringState& contact(Index l) const { return waves_.contact(window_, l); }
  Phase phase(Index l) const { return contact(l).phase; }
  const double* forces(const double* derivative) const { return derivative + window_.size(); }

  void resize() {
    stepper_.resize(2 * window_.size());
    due_.assign(window_.size(), Event::none);
  }

  bool looks_for_the_end() {
    if (waves_.state.events < next_event_ && waves_.state.steps < next_step_) return false;
    next_event_ = waves_.state.events + kEventsPerLook;
    next_step_ = waves_.state.steps + kStepsPerLook;
    return true;
  }

  /// The contact that opens next, and when, if within a given time; else -1. Its force s^eta is not smooth there.
  std::pair<Index, double> next_release(double within) {
    std::pair<Index, double> next{-1, 0};
    if (!window_.located) return next;
    for (Index l = 0; l < window_.size(); ++l) {
      const double phi = window_.phi_out[l], s = window_.y[l], gamma = window_.gamma[l];
      if (phase(l) != Phase::expansion || spring(l).jumps(contact(l)) || gamma <= 0 || s > 3 * phi * gamma * within)
        continue;
      const double acceleration = window_.row_times(l, forces(stepper_.start_derivative()));
      const double root = gamma * gamma + 2 * acceleration * s / phi;
      if (root <= 0) continue;  // it turns before
      const double time = 2 * s / phi / (gamma + std::sqrt(root));
      if (time > within) continue;
      within = time;
      next = {l, time};
    }
    return next;
  }

  ClockedMotion clocked() const { return {motion_, clock_}; }

  double try_step() {
    if (!clock_.is_plain()) stepper_.start(clocked(), 0, window_.y.data());
    return stepper_.attempt(clocked(), 0, clock_.span(), window_.y.data(), window_.weight.data());
  }

  void finish() {
    stepper_.finish(clocked(), clock_.span());
    window_.gamma_start = window_.gamma;
    window_.gamma = window_.latest;
  }

  bool force_jumps() {
    for (Index l = 0; l < window_.size(); ++l)
      if (due_[l] != Event::none && due_[l] != Event::closes && spring(l).jumps(contact(l))) return true;
    return false;
  }

  /// Makes the step again, up to its first event.
  void cut(double length) {
    const double* y = window_.y.data();
    window_.gamma = window_.gamma_start;
    clock_ = {Clock::Kind::plain, length};
    stepper_.start(clocked(), 0, y);
    if (length > 0) {
      stepper_.attempt(clocked(), 0, length, y, window_.weight.data());
      finish();
    }
    window_.changed = true;
  }

  /// Moves every contact into the phase that the end of the step belongs to. Where no time has passed, nothing happened
  /// but what is due: a contact at rest that has just closed would open again by the sign of its rounding.
  void pass_events(double start) {
    const bool moved = waves_.state.time > start;
    for (const Peak& peak : peaks_)
      if (peak.time <= waves_.state.time) {
        spring(peak.l).note_peak(contact(peak.l), peak.s, peak.time);
        contact(peak.l).top = std::max(contact(peak.l).top, peak.s);
      }
    peaks_.clear();
    for (Index l = 0; l < window_.size(); ++l) {
      const double s = window_.y[l];
      if (phase(l) == Phase::compression) contact(l).top = std::max(contact(l).top, s);
      const Event due = std::exchange(due_[l], Event::none);
      const Event event = due != Event::none || !moved ? due : spring(l).missed(contact(l), s, window_.gamma[l]);
      if (event != Event::none && waves_.pass(window_, l, event, due != Event::none,
                                              {start, s_start_.empty() ? s : s_start_[l], window_.gamma_start[l]}))
        let_go_.push_back(l);
    }
    for (const Index l : let_go_) waves_.close_if_pressed(l);
    let_go_.clear();
  }

  void locate_missed(Index l) {
    const Spring& own = spring(l);
    const double s = stepper_.end()[l], gamma = window_.gamma[l], deepest = std::max(s, window_.y[l]);
    const bool compressed = phase(l) == Phase::compression;
    const bool peaks =
        compressed && window_.located && deepest > own.noise && own.force(1.2 * deepest) > contact(l).peak;
    const bool significant = (window_.located || own.jumps(contact(l))) && is_significant(l, s, gamma);
    if (!significant && !peaks) return;
    interpolate();
    constexpr double never = 2;
    double turn = never, pass = never;  // when gamma changes sign, when s passes zero or the mark
    if (phase(l) == Phase::open) {
      pass = own.keeps_gap ? when(stepper_.polynomial(l), -1, 0) : when(velocity(l), 1, 0);
    } else {
      const double sign = compressed ? -1 : 1;
      if (sign * gamma < 0) turn = when(velocity(l), sign, 0);
      // A contact that has just closed starts at zero but for rounding: passing it takes more.
      const double level = own.floor(contact(l)) - arrived(l);
      if (s <= own.floor(contact(l))) pass = when(stepper_.polynomial(l), 1, level);
    }
    if (peaks && turn <= 1)
      peaks_.push_back({l, numerics::value(stepper_.polynomial(l), turn), waves_.state.time + clock_.time(turn)});
    if (!significant) return;
    if (own.is_elastic()) turn = never;  // nothing changes there
    const Event event = phase(l) == Phase::open ? Event::closes : turn < pass ? Event::turns : Event::opens;
    found_.push_back({std::min(turn, pass), l, event});
  }

  void locate_double_turn(Index l) {
    interpolate();
    const double sign = phase(l) == Phase::compression ? -1 : 1;
    if (const auto at = numerics::first_fall(scaled(velocity(l), sign, 0))) found_.push_back({*at, l, Event::turns});
  }

  /// Whether gamma, of one sign at both ends of the step, may have the other in between by more than noise: it has not
  /// if the cubic through its values and slopes keeps clear of zero.
  bool may_turn_twice(Index l) {
    const Spring& own = spring(l);
    if (!window_.located || own.is_elastic() || phase(l) == Phase::open) return false;
    const double sign = phase(l) == Phase::compression ? -1 : 1, third = clock_.span() / 3;
    const double slope = window_.row_times(l, forces(stepper_.start_derivative()));
    const double end_slope = window_.row_times(l, forces(stepper_.end_derivative()));
    const double dip =
        std::min(sign * (window_.gamma_start[l] + third * slope), sign * (window_.gamma[l] - third * end_slope));
    return dip < 0 && is_significant(l, window_.y[l], sign * dip);
  }

  /// Whether leaving an event somewhere inside the step would change the outcome: by the force or the indentation that
  /// overshoots it.
  bool is_significant(Index l, double s, double gamma) {
    const Spring& own = spring(l);
    const double h = clock_.length, share = kInsignificant * waves_.system().step_error;
    const double force = share * own.speed / (own.inverse_mass * h);
    const bool kink = s <= 0 && own.force(-s) > force;  // of the force at s = 0
    if (phase(l) == Phase::open) return own.force(s) > force;
    if (own.is_elastic()) return kink;
    const double deepest = std::max(s, window_.y[l]);
    if (own.jumps(contact(l))) {
      if (phase(l) == Phase::compression) return own.force(deepest) > force;
      if (s <= contact(l).mark) return own.force(contact(l).mark) > force;
      // a new compression, however small, moves the mark
      return gamma < 0 && own.force(s) > force && contact(l).mark - own.mark_after(contact(l), s) > share * own.depth;
    }
    const bool turns = (phase(l) == Phase::compression) == (gamma > 0);
    const double overshoot = std::min(std::abs(gamma) * h * (own.rate(contact(l)) - 1), deepest);
    return kink ||
           (turns && overshoot > share * own.depth && own.force(deepest) * own.power.eta * overshoot > force * deepest);
  }

  void interpolate() {
    if (!interpolated_) stepper_.interpolate(clocked(), 0, clock_.span(), window_.y.data());
    interpolated_ = true;
  }

  Polynomial velocity(Index l) const {
    Polynomial gamma;
    gamma.fill(window_.base[l]);
    for (int entry = window_.start[l]; entry < window_.start[l + 1]; ++entry) {
      const Polynomial impulse = stepper_.polynomial(window_.size() + window_.column[entry]);
      for (std::size_t i = 0; i < gamma.size(); ++i) gamma[i] += window_.value[entry] * impulse[i];
    }
    return gamma;
  }

  static Polynomial scaled(Polynomial p, double sign, double level) {
    for (double& c : p) c = sign * (c - level);
    return p;
  }

  /// When sign (p - level) falls below zero. What the interpolant does not show happened at the start if it was due
  /// then but for rounding, else it is left to the end of the step.
  static double when(const Polynomial& p, double sign, double level) {
    return numerics::first_fall(scaled(p, sign, level)).value_or(sign * (p[0] - level) <= 0 ? 0 : 1);
  }

  Waves& waves_;
  Window& window_;
  Motion motion_;
  Clock clock_;
  Stepper stepper_;
  numerics::StepControl control_;
  double h_;  // length of the next plain step
  bool coarse_;
  Index aim_ = -1;                                                // contact that opens at the end of the step
  bool missed_aim_ = false;                                       // the last try was too long
  long next_event_ = kEventsPerLook, next_step_ = kStepsPerLook;  // when to look for the end

  bool interpolated_ = false;
  std::vector<Index> let_go_;  // plastic contacts of the present step
  std::vector<Event> due_;     // (n) what happens at the end of the step
  std::vector<Found> found_;
  std::vector<Peak> peaks_;
  std::vector<double> s_start_;
};

}  // namespace carom::springs

#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "laws/springs/impact.h"
#include "numerics/runge_kutta.h"

namespace carom::springs {

/// Moves an impact through time, step by step. Inside a step the motion is smooth: where a contact changes its phase in
/// a way that the outcome would show, the step is cut there.
template <class Pair, Exponents exponents>
class Integration {
 public:
  explicit Integration(Impact& impact)
      : impact_(impact), window_(impact.window_), control_(Pair::error_order), h_(impact.next_step_) {
    resize();
  }

  /// Goes on to the end of the impact, or until another pair suits the window better; then there is no status yet.
  std::optional<Status> run() {
    const bool coarse = impact_.is_coarse();
    while (impact_.anything_alive()) {
      if (!plan()) continue;
      if (++impact_.steps_ > impact_.most_steps_ || !(clock_.length > shortest()))
        return impact_.ends_early(kLastLook) ? Status::solved : Status::iteration_limit;
      if (!attempt()) continue;
      take(locate());
      impact_.record();
      if (looks_for_the_end() && impact_.ends_early(kLook)) break;
      if (!impact_.is_stale()) continue;
      impact_.leave();
      impact_.follow();
      if (impact_.is_coarse() != coarse || impact_.is_multirate()) {
        impact_.next_step_ = h_;
        return std::nullopt;
      }
      resize();
    }
    return Status::solved;
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
  static constexpr double kLook = 0.05, kLastLook = 1;  // of the tolerance: velocities that the rest may change

  struct Found {
    double at;  // part of the step
    Index l;
    Event event;
  };
  struct Peak {
    Index l;
    double s, time;
  };

  double arrived(const Spring& contact) const {
    return kArrived * impact_.step_error_ * contact.slack() * contact.depth;
  }
  double shortest() const { return kShortest * impact_.time_scale_; }
  Spring& spring(Index l) { return impact_.springs_[window_.contact[l]]; }
  const double* forces(const double* derivative) const { return derivative + window_.size(); }

  void resize() {
    stepper_.resize(2 * window_.size());
    due_.assign(window_.size(), Event::none);
  }

  bool looks_for_the_end() {
    if (impact_.events_ < next_event_ && impact_.steps_ < next_step_) return false;
    next_event_ = impact_.events_ + kEventsPerLook;
    next_step_ = impact_.steps_ + kStepsPerLook;
    return true;
  }

  // ---- one step

  /// Chooses the length of the next step, its clock, and whether it aims at a release. False if a release was due at
  /// once and there is no step to make.
  bool plan() {
    clock_ = {Clock::Kind::plain, h_};
    if (window_.changed) {
      stepper_.start(clocked(), 0, window_.y.data());
      window_.changed = false;
    }
    aim_ = -1;
    if (impact_.time_ == 0) {
      clock_.kind = Clock::Kind::starts;
      return true;
    }
    const auto [l, time] = next_release(1.5 * h_);
    if (l < 0) return true;
    if (time <= shortest()) {
      due_[l] = Event::opens;
      pass_events(impact_.time_);
      return false;
    }
    if (missed_aim_) {
      clock_.length = std::min(h_, 0.5 * time);
      return true;
    }
    const double eta = spring(l).eta;
    clock_ = {eta == std::floor(eta) ? Clock::Kind::plain : Clock::Kind::ends, time};
    aim_ = l;
    return true;
  }

  /// The contact that opens next, and when, if within a given time; else -1. Its force s^eta is not smooth there.
  std::pair<Index, double> next_release(double within) {
    std::pair<Index, double> next{-1, 0};
    if (!window_.located || impact_.unloading_ == Unloading::mono) return next;
    for (Index l = 0; l < window_.size(); ++l) {
      const double phi = window_.phi_out[l], s = window_.y[l], gamma = window_.gamma[l];
      if (spring(l).phase != Phase::expansion || gamma <= 0 || s > 3 * phi * gamma * within) continue;
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

  /// Tries the step; if it aims at a release, corrects its length by Newton's method. False if its error is too large.
  bool attempt() {
    const bool aimed = aim_ >= 0;
    const Index target = aim_;
    double error = try_step();
    for (int correction = 0; error <= 1 && aimed; ++correction) {
      const double s = stepper_.end()[target];
      const double speed = window_.phi_out[target] * window_.gamma_at(target, stepper_.end());
      aim_ = std::abs(s) <= arrived(spring(target)) ? target : -1;
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

  Clocked<Motion<exponents>> clocked() const { return {motion_, clock_}; }

  double try_step() {
    if (!clock_.is_plain()) stepper_.start(clocked(), 0, window_.y.data());
    return stepper_.attempt(clocked(), 0, clock_.span(), window_.y.data(), window_.weight.data());
  }

  void finish() {
    stepper_.finish(clocked(), clock_.span());
    window_.gamma_start = window_.gamma;
    window_.gamma = window_.latest;
  }

  /// Takes a part of the tried step, and what happens at its end.
  void take(double part) {
    const double start = impact_.time_;
    s_start_.assign(window_.y.begin(), window_.y.begin() + window_.size());
    double length = clock_.length;
    if (part < 1) {
      length = clock_.time(part);
      if (length <= shortest()) length = 0;
      cut(length);
    } else if (aim_ >= 0) {
      for (Index l = 0; l < window_.size(); ++l)  // in a symmetric impact it is not alone
        if (l == aim_ || (window_.phi_out[l] == window_.phi_out[aim_] && stepper_.end()[l] == stepper_.end()[aim_] &&
                          spring(l).phase == Phase::expansion))
          due_[l] = Event::opens;
    }
    if (length > 0) {
      std::copy(stepper_.end(), stepper_.end() + 2 * window_.size(), window_.y.begin());
      if (clock_.is_plain())
        stepper_.advance();
      else
        window_.changed = true;
    }
    impact_.time_ += length;
    missed_aim_ = false;
    if (impact_.path_ != nullptr && force_jumps()) impact_.record();  // before and after
    pass_events(start);
  }

  bool force_jumps() {
    for (Index l = 0; l < window_.size(); ++l)
      if (due_[l] != Event::none && due_[l] != Event::closes && spring(l).jumps()) return true;
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
    const bool moved = impact_.time_ > start;
    for (const Peak& peak : peaks_)
      if (peak.time <= impact_.time_) {
        spring(peak.l).note_peak(peak.s, peak.time);
        spring(peak.l).top = std::max(spring(peak.l).top, peak.s);
      }
    peaks_.clear();
    for (Index l = 0; l < window_.size(); ++l) {
      const double s = window_.y[l];
      if (spring(l).phase == Phase::compression) spring(l).top = std::max(spring(l).top, s);
      const Event due = std::exchange(due_[l], Event::none);
      const Event event = due != Event::none || !moved ? due : spring(l).missed(s, window_.gamma[l]);
      if (event != Event::none)
        impact_.pass(window_, l, event, due != Event::none,
                     {start, s_start_.empty() ? s : s_start_[l], window_.gamma_start[l]});
    }
    for (const Index l : impact_.let_go_) impact_.close_if_pressed(l);
    impact_.let_go_.clear();
  }

  // ---- events inside a step

  /// The part of the step up to its first significant event, 1 if there is none. Notes what is due then, and the
  /// largest indentations on the way.
  double locate() {
    interpolated_ = false;
    found_.clear();
    for (Index l = 0; l < window_.size(); ++l) {
      if (spring(l).missed(stepper_.end()[l], window_.gamma[l]) != Event::none)
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

  void locate_missed(Index l) {
    const Spring& contact = spring(l);
    const double s = stepper_.end()[l], gamma = window_.gamma[l], deepest = std::max(s, window_.y[l]);
    const bool compressed = contact.phase == Phase::compression;
    const bool peaks =
        compressed && window_.located && deepest > contact.noise && contact.force(1.2 * deepest) > contact.peak;
    const bool significant = (window_.located || contact.jumps()) && is_significant(l, s, gamma);
    if (!significant && !peaks) return;
    interpolate();
    constexpr double never = 2;
    double turn = never, pass = never;  // when gamma changes sign, when s passes zero or the mark
    if (contact.phase == Phase::open) {
      pass = impact_.unloading_ == Unloading::gap ? when(stepper_.polynomial(l), -1, 0) : when(velocity(l), 1, 0);
    } else {
      const double sign = compressed ? -1 : 1;
      if (sign * gamma < 0) turn = when(velocity(l), sign, 0);
      // A contact that has just closed starts at zero but for rounding: passing it takes more.
      const double level = contact.floor() - arrived(contact);
      if (s <= contact.floor()) pass = when(stepper_.polynomial(l), 1, level);
    }
    if (peaks && turn <= 1)
      peaks_.push_back({l, numerics::value(stepper_.polynomial(l), turn), impact_.time_ + clock_.time(turn)});
    if (!significant) return;
    if (contact.e == 1) turn = never;  // nothing changes there
    const Event event = contact.phase == Phase::open ? Event::closes : turn < pass ? Event::turns : Event::opens;
    found_.push_back({std::min(turn, pass), l, event});
  }

  void locate_double_turn(Index l) {
    interpolate();
    const double sign = spring(l).phase == Phase::compression ? -1 : 1;
    if (const auto at = numerics::first_fall(scaled(velocity(l), sign, 0))) found_.push_back({*at, l, Event::turns});
  }

  /// Whether gamma, of one sign at both ends of the step, may have the other in between by more than noise: it has not
  /// if the cubic through its values and slopes keeps clear of zero.
  bool may_turn_twice(Index l) {
    const Spring& contact = spring(l);
    if (!window_.located || contact.e == 1 || contact.phase == Phase::open) return false;
    const double sign = contact.phase == Phase::compression ? -1 : 1, third = clock_.span() / 3;
    const double slope = window_.row_times(l, forces(stepper_.start_derivative()));
    const double end_slope = window_.row_times(l, forces(stepper_.end_derivative()));
    const double dip =
        std::min(sign * (window_.gamma_start[l] + third * slope), sign * (window_.gamma[l] - third * end_slope));
    return dip < 0 && is_significant(l, window_.y[l], sign * dip);
  }

  /// Whether leaving an event somewhere inside the step would change the outcome: by the force or the indentation that
  /// overshoots it.
  bool is_significant(Index l, double s, double gamma) {
    const Spring& contact = spring(l);
    const double h = clock_.length, share = kInsignificant * impact_.step_error_;
    const double force = share * contact.speed / (contact.inverse_mass * h);
    const bool kink = s <= 0 && contact.force(-s) > force;  // of the force at s = 0
    if (contact.phase == Phase::open) return contact.force(s) > force;
    if (contact.e == 1) return kink;
    const double deepest = std::max(s, window_.y[l]);
    if (contact.jumps()) {
      if (contact.phase == Phase::compression) return contact.force(deepest) > force;
      if (s <= contact.mark) return contact.force(contact.mark) > force;
      // a new compression, however small, moves the mark
      return gamma < 0 && contact.force(s) > force && contact.mark - contact.mark_after(s) > share * contact.depth;
    }
    const bool turns = (contact.phase == Phase::compression) == (gamma > 0);
    const double overshoot = std::min(std::abs(gamma) * h * (contact.fast() - 1), deepest);
    return kink || (turns && overshoot > share * contact.depth &&
                    contact.force(deepest) * contact.eta * overshoot > force * deepest);
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

  Impact& impact_;
  Window& window_;
  Motion<exponents> motion_{window_};
  Clock clock_;
  Stepper stepper_;
  numerics::StepControl control_;
  double h_;                                                      // length of the next plain step
  Index aim_ = -1;                                                // contact that opens at the end of the step
  bool missed_aim_ = false;                                       // the last try was too long
  long next_event_ = kEventsPerLook, next_step_ = kStepsPerLook;  // when to look for the end

  bool interpolated_ = false;
  std::vector<Event> due_;  // (n) what happens at the end of the step
  std::vector<Found> found_;
  std::vector<Peak> peaks_;
  std::vector<double> s_start_;
};

}  // namespace carom::springs

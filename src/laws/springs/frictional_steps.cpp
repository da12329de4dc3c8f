#include "carom/laws/springs/frictional_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/laws/springs/driver.h"
#include "carom/numerics/sparse_products.h"

namespace carom::springs {
namespace {

constexpr double kSlow = 100;      // of the tolerance: slip that starts is slow up to this
constexpr long kCrawl = 1000;      // steps without an event, after which
constexpr double kCrawling = 1;    // of the tolerance: slower slip than this is none
constexpr double kStopsToo = 0.1;  // of the tolerance: slower slip than this stops with that of a neighbour
constexpr int kStalled = 3;        // decisions without time between them, after which all that crawls stops
constexpr double kAhead = 1e-6;    // of a step: the moment ahead for which modes are decided
constexpr double kFarther = 10;    // as far, each time that no time has passed between two decisions
constexpr int kMostFarther = 5;
constexpr double kFirstFrictionalStep = 0.1;  // of the impact's own time
constexpr double kShortest = 1e-15;           // the same: shorter steps are none
constexpr double kApproach = 0.6;  // of the time until slip stops, 0.9 of that until a contact opens: the longest step
constexpr double kRelease = 0.9;
constexpr double kFaint = 1e-2;  // of the step error, to the power 1 / (eta + 1): an indentation that opens at any time
constexpr long kEventsPerLook = 64;  // between looks at whether the impact is dying out
constexpr double kAtRest = 0.3;      // of the tolerance: velocities, and accelerations in the impact's own time

/// An indentation whose rest of an impulse nobody sees.
double faint(const Spring& spring, double tolerance) {
  return spring.depth * std::pow(kFaint * kStepShare * tolerance, 1 / (spring.power.eta + 1));
}

}  // namespace

FrictionalSteps::FrictionalSteps(const System& system, long most_steps, Path* path)
    : system_(system),
      most_steps_(most_steps),
      path_(path),
      motion_(system),
      y_(Vector::Zero(motion_.size())),
      gamma_(system.problem.gamma_free),
      weight_(motion_.weights(system.step_error)),
      h_(kFirstFrictionalStep * system.time_scale),
      next_look_(kEventsPerLook) {
  const State start(system);
  for (Index i = 0; i < system.size(); ++i) {
    y_[i] = start.s[i];
    system.springs[i].begin(motion_.state[i], y_[i], system.normal.gamma_free[i], system.noise(i));
  }
  stepper_.resize(y_.size());
  decide({});
  record();
}

bool FrictionalSteps::anything_alive() const {
  for (Index i = 0; i < system_.size(); ++i)
    if (system_.is_alive(i, y_[i], gamma_[motion_.row(i)])) return true;
  return false;
}

bool FrictionalSteps::is_exhausted() const {
  const double work = std::max(static_cast<double>(steps_), motion_.work());
  return work > static_cast<double>(most_steps_) || !(h_ > kShortest * system_.time_scale) ||
         !system_.goes_on(work, most_steps_);
}

bool FrictionalSteps::prepare() {
  ++steps_;
  if (const std::vector<Index> stopped = stopped_in_space(); !stopped.empty()) {
    ++events_;
    last_event_ = steps_;
    halt(stopped);
    decide(stopped);
  }
  return true;
}

bool FrictionalSteps::attempt() {
  if (std::exchange(fresh_, false)) stepper_.start(motion_, 0, y_.data());
  const double h = h_;
  h_tried_ = std::min(h, longest_step());
  const double error = stepper_.attempt(motion_, 0, h_tried_, y_.data(), weight_.data());
  if (!(error <= 1)) {
    h_ = control_.after_failure(h_tried_, error);
    return false;
  }
  if (reverses()) {
    h_ = 0.5 * h_tried_;
    return false;
  }
  stepper_.finish(motion_, h_tried_);
  stepper_.interpolate(motion_, 0, h_tried_, y_.data());
  const double next = control_.after_success(h_tried_, error);
  h_ = h_tried_ < h ? std::max(h, next) : next;
  return true;
}

FirstEvent FrictionalSteps::first_event() const {
  return springs::first_event({motion_, stepper_, y_, gamma_});
}

void FrictionalSteps::take(const FirstEvent& event) {
  move(event.part);
  if (event.part <= 1) {
    pass(event.due);
    last_event_ = steps_;
  }
  let_go();
}

bool FrictionalSteps::has_ended() {
  record();
  if (is_wedged(kAtRest)) return true;
  if (events_ < next_look_) return false;
  next_look_ = events_ + kEventsPerLook;
  return dies_out(kLook);
}

bool FrictionalSteps::may_end(double share) {
  return dies_out(share) || is_wedged(share);
}

// ---- modes

/// The loaded contacts whose mode is open: those that stick, those that have stopped, and those that were pressed
/// together without slip. The others slip. Feet of one body come to rest together, though not to the last digit.
std::vector<Index> FrictionalSteps::candidates(const std::vector<Index>& stopped) {
  std::vector<Index> result;
  const double crawling = decision_.stalls >= kStalled ? kCrawling : stopped.empty() ? 0 : kStopsToo;
  for (Index i = 0; i < motion_.contacts(); ++i) {
    ContactMode& mode = motion_.friction.mode[i];
    if (!motion_.friction.acts_at(i) || motion_.state[i].phase == Phase::open) {
      mode = ContactMode::open;
      continue;
    }
    const double slip = motion_.slip_speed(i, gamma_), unit = system_.tolerance * system_.springs[i].speed;
    const bool still = slip <= kStill * unit;
    const bool has_stopped = slip <= crawling * unit || std::find(stopped.begin(), stopped.end(), i) != stopped.end();
    if (mode == ContactMode::stick || has_stopped || (mode != ContactMode::slip && still))
      result.push_back(i);
    else if (mode != ContactMode::slip)
      motion_.friction.slide(i, gamma_);
  }
  return result;
}

void FrictionalSteps::decide(const std::vector<Index>& stopped) {
  decision_ = {time_, time_ > decision_.time ? 0 : std::min(decision_.stalls + 1, kMostFarther)};
  const double moment = kAhead * std::max(h_, h_tried_) * std::pow(kFarther, decision_.stalls);
  Vector ahead = Vector::Zero(motion_.rows());
  for (Index i = 0; i < motion_.contacts(); ++i) {
    if (motion_.state[i].phase == Phase::open) continue;
    const double s = y_[i] + motion_.rate(i, gamma_[motion_.row(i)]) * moment;
    ahead[motion_.row(i)] = system_.springs[i].force(std::max(0.0, s));
  }
  const Vector gamma =
      gamma_ + moment * (system_.problem.G * motion_.forces(y_.data(), gamma_));  // slip in space turns meanwhile
  motion_.friction.decide(candidates(stopped), gamma, std::move(ahead));
  shared_ = shared_ || motion_.friction.sticks_redundantly();
  y_.segment(motion_.contacts(), motion_.rows()) += motion_.friction.stopping_impulse(gamma_);
  gamma_ = motion_.velocities(y_.data());
  fresh_ = true;
}

/// Contacts that have begun to slip and are fast enough by now to have a direction of their own.
void FrictionalSteps::let_go() {
  for (Index i = 0; i < motion_.contacts(); ++i)
    if (motion_.friction.mode[i] == ContactMode::slip_onset &&
        motion_.slip_speed(i, gamma_) > kSlow * system_.tolerance * system_.springs[i].speed) {
      motion_.friction.slide(i, gamma_);
      motion_.friction.prepare();
      fresh_ = true;
    }
}

/// Slip in space that has all but vanished, or that has crawled so long, stiffly, that it may as well stop and start.
std::vector<Index> FrictionalSteps::stopped_in_space() const {
  const double slowest = (steps_ - last_event_ > kCrawl ? kCrawling : kStill) * system_.tolerance;
  std::vector<Index> result;
  for (Index i = 0; i < motion_.contacts(); ++i)
    if (motion_.friction.mode[i] == ContactMode::slip && motion_.is_spatial(i) &&
        motion_.slip_speed(i, gamma_) <= slowest * system_.springs[i].speed)
      result.push_back(i);
  return result;
}

/// Takes from contacts in space what is left of their slip.
void FrictionalSteps::halt(const std::vector<Index>& stopped) {
  for (const Index i : stopped) motion_.friction.mode[i] = ContactMode::stick;
  motion_.friction.prepare();
  y_.segment(motion_.contacts(), motion_.rows()) += motion_.friction.stopping_impulse(gamma_);
  gamma_ = motion_.velocities(y_.data());
}

// ---- the step

/// The longest step towards slip that vanishes and contacts that open: there the motion is not smooth.
double FrictionalSteps::longest_step() const {
  double longest = std::numeric_limits<double>::infinity();
  const double* derivative = stepper_.start_derivative();
  const Vector acceleration = motion_.velocities(derivative) - system_.problem.gamma_free;
  for (Index i = 0; i < motion_.contacts(); ++i) {
    const Spring& spring = system_.springs[i];
    const Index row = motion_.row(i);
    if (motion_.state[i].phase == Phase::expansion && spring.floor(motion_.state[i]) == 0 &&
        spring.power.eta != std::floor(spring.power.eta) && y_[i] > faint(spring, system_.tolerance)) {
      longest = std::min(longest, kRelease * motion_.time_to_release(i, y_[i], gamma_[row], acceleration[row]));
    }
    if (motion_.friction.mode[i] != ContactMode::slip || !motion_.is_spatial(i)) continue;
    const double speed = motion_.slip_speed(i, gamma_);
    const double rate = gamma_.segment(row + 1, 2).dot(acceleration.segment(row + 1, 2)) / speed;
    if (rate < 0) longest = std::min(longest, kApproach * speed / -rate);
  }
  return longest;
}

/// Whether a slip in space turned round within the step: then it was too long.
bool FrictionalSteps::reverses() const {
  const Vector after = motion_.velocities(stepper_.end());
  for (Index i = 0; i < motion_.contacts(); ++i) {
    if (motion_.friction.mode[i] != ContactMode::slip || !motion_.is_spatial(i)) continue;
    const Index row = motion_.row(i) + 1;
    if (gamma_.segment(row, 2).dot(after.segment(row, 2)) <= 0) return true;
  }
  return false;
}

/// Moves to the end of the tried step, or to a part of it.
void FrictionalSteps::move(double part) {
  const double length = part < 1 ? part * h_tried_ : h_tried_;
  if (part < 1) {
    fresh_ = true;
    if (length <= kShortest * system_.time_scale) return;
    stepper_.start(motion_, 0, y_.data());
    stepper_.attempt(motion_, 0, length, y_.data(), weight_.data());
  }
  y_ = Eigen::Map<const Vector>(stepper_.end(), y_.size());
  if (part >= 1) stepper_.advance();
  time_ += length;
  gamma_ = motion_.velocities(y_.data());
}

// ---- events

/// Takes contacts through the events that are due.
void FrictionalSteps::pass(const std::vector<Watch>& due) {
  std::vector<Index> stopped;
  bool redecide = false;
  for (const Watch& watch : due) {
    ++events_;
    if (watch.what == Watched::stop) stopped.push_back(watch.contact);
    if (watch.what == Watched::turn || watch.what == Watched::release || watch.what == Watched::closing)
      redecide = pass_phase(watch) || redecide;
    else
      redecide = true;
  }
  fresh_ = true;
  if (redecide) decide(stopped);
}

/// Whether modes have to be decided again.
bool FrictionalSteps::pass_phase(const Watch& watch) {
  const Index i = watch.contact;
  const Spring& spring = system_.springs[i];
  SpringState& state = motion_.state[i];
  if (watch.what == Watched::closing) {
    y_[i] = 0;
    spring.close(state, 0);
    state.base = y_[motion_.contacts() + motion_.row(i)];
    return true;
  }
  if (watch.what == Watched::turn) {
    if (state.phase == Phase::open) return false;
    spring.turn(state, y_[i], time_);
    if (motion_.by_impulse() ? motion_.count_impulse(i, y_[i], y_[motion_.contacts() + motion_.row(i)])
                             : state.phase != Phase::expansion || spring.e(state) > 0)
      return false;
  }
  if (state.phase == Phase::open) return false;
  spring.open(state, y_[i], time_);
  return true;
}

// ---- the end

bool FrictionalSteps::dies_out(double share) {
  double energy = 0;
  for (Index i = 0; i < system_.size(); ++i) energy += system_.energy_at(i, y_[i], gamma_[motion_.row(i)]);
  died_out_ = system_.is_invisible(energy, share);
  return died_out_;
}

/// Whether friction holds springs that are still compressed: what touches is at rest, and all forces are in balance.
bool FrictionalSteps::is_wedged(double share) {
  const auto is_still = [&](const Vector& velocities, double scale) {
    for (Index i = 0; i < system_.size(); ++i) {
      const Spring& spring = system_.springs[i];
      const Index row = motion_.row(i);
      const double slowest = share * system_.tolerance * spring.speed;
      if (!spring.moves() || (motion_.state[i].phase == Phase::open && gamma_[row] > slowest)) continue;
      if (scale * velocities.segment(row, 1 + motion_.friction.tangents(i)).cwiseAbs().maxCoeff() > slowest)
        return false;
    }
    return true;
  };
  if (!is_still(gamma_, 1) || !is_still(system_.problem.G * motion_.forces(y_.data(), gamma_), system_.time_scale))
    return false;
  double stored = 0;
  for (Index i = 0; i < system_.size(); ++i)
    if (motion_.state[i].phase != Phase::open) stored += system_.springs[i].energy(std::max(0.0, y_[i]));
  wedged_ = !system_.is_invisible(stored, 1);  // else it just fades
  return wedged_;
}

/// What is too little to follow, or held by friction, is let go: returns what could have been given back.
double FrictionalSteps::release_what_is_left() {
  double kept = 0;
  for (Index i = 0; i < system_.size(); ++i) {
    const Spring& spring = system_.springs[i];
    SpringState& state = motion_.state[i];
    if (state.phase == Phase::open) continue;
    if (state.phase == Phase::compression) spring.turn(state, y_[i], time_);
    const double recoverable = spring.recoverable(y_[i], state);
    kept += recoverable;
    state.dissipated += recoverable;
    if (state.phase == Phase::expansion) spring.open(state, y_[i], time_);
  }
  return kept;
}

/// Contacts that still close after ever weaker impacts are stopped.
void FrictionalSteps::stop_what_closes(Result& followed) {
  Vector normal(system_.size());
  for (Index i = 0; i < system_.size(); ++i) normal[i] = gamma_[motion_.row(i)];
  followed.collapsed = is_faded(system_, motion_.state, normal);
  if (!followed.collapsed && !died_out_ && !wedged_) return;
  const Vector stop = stopping_impulses(system_, normal);
  if (stop.size() == 0) return;
  const Vector after = normal + system_.G * stop;
  for (Index i = 0; i < system_.size(); ++i) {
    motion_.state[i].taken -= 0.5 * stop[i] * (normal[i] + after[i]);
    motion_.state[i].dissipated -= 0.5 * stop[i] * (normal[i] + after[i]);
    y_[system_.size() + motion_.row(i)] += stop[i];
    if (motion_.by_impulse()) y_[y_.size() - system_.size() + i] -= 0.5 * stop[i] * (normal[i] + after[i]);
  }
  gamma_ = motion_.velocities(y_.data());
}

Result FrictionalSteps::result(Status status) {
  Result followed;
  followed.status = status;
  if (status == Status::solved) {
    followed.kept = release_what_is_left();
    stop_what_closes(followed);
  }
  followed.wedged = wedged_;
  followed.shared = shared_;
  followed.contacts = motion_.state;
  followed.Lambda = y_.segment(system_.size(), motion_.rows());
  followed.gamma = gamma_;
  followed.speed.resize(motion_.rows());
  for (Index i = 0; i < system_.size(); ++i)
    followed.speed.segment(motion_.row(i), 1 + motion_.friction.tangents(i)).setConstant(system_.springs[i].speed);
  followed.friction = y_.segment(system_.size() + motion_.rows(), system_.size());
  if (motion_.by_impulse())
    for (Index i = 0; i < system_.size(); ++i) followed.contacts[i].dissipated = y_[y_.size() - system_.size() + i];
  followed.events = events_;
  followed.steps = steps_;
  followed.evaluations = motion_.evaluations;
  return followed;
}

void FrictionalSteps::record() {
  if (path_ == nullptr) return;
  Path::State now;
  now.time = time_;
  now.force = now.stored = Vector::Zero(system_.size());
  for (Index i = 0; i < system_.size(); ++i) {
    if (motion_.state[i].phase == Phase::open) continue;
    now.force[i] = system_.springs[i].force(y_[i]);
    now.stored[i] = system_.springs[i].energy(std::max(0.0, y_[i]));
  }
  now.Lambda = y_.segment(system_.size(), motion_.rows());
  path_->add(std::move(now));
}

}  // namespace carom::springs

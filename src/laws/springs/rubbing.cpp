#include "laws/springs/rubbing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "numerics/lcp.h"
#include "numerics/sparse_products.h"

namespace carom::springs {
namespace {

constexpr double kSign = 1e-14;  // of the speed of a contact: below it a velocity has no sign
constexpr double kStill = 1e-2;  // of the tolerance: slower slip than this is none
constexpr double kSlow = 100;    // of the tolerance: slip that starts is slow up to this
constexpr double kAhead = 1e-6;  // of a step: the moment ahead for which grips are decided
constexpr double kFarther = 10;  // as far, each time that no time has passed between two decisions
constexpr int kMostFarther = 5;
constexpr double kFirstRubbingStep = 0.1;  // of the impact's own time
constexpr double kShortest = 1e-15;        // the same: shorter steps are none
constexpr double kApproach = 0.6;  // of the time until slip stops, 0.9 of that until a contact opens: the longest step
constexpr double kRelease = 0.9;
constexpr double kFaint = 1e-2;  // of the step error, to the power 1 / (eta + 1): an indentation that opens at any time
constexpr double kTogether = 1e-10;  // of a step: events closer than this are one
constexpr int kRefinements = 80;
constexpr double kEventsLocated = 1e-14;  // of a step: events are found to this
constexpr std::array<double, 4> kSamples = {0.25, 0.5, 0.75, 1};
constexpr long kEventsPerLook = 64;            // between looks at whether the impact is dying out
constexpr Index kDenseRows = 64;               // up to this many rows G is used as a full matrix
constexpr double kLook = 0.05, kLastLook = 1;  // of the tolerance: velocities that the rest may change

}  // namespace

Rubbing::Rubbing(const Task& task)
    : problem_(task.problem),
      normal_(task.normal),
      unloading_(task.unloading),
      tolerance_(task.tolerance),
      most_steps_(task.most_steps),
      path_(task.path),
      friction_(task.problem),
      gamma_(task.problem.gamma_free) {
  const Index m = contacts();
  y_.setZero(2 * m + rows());
  if (rows() <= kDenseRows) G_ = Matrix(problem_.G);
  springs_.reserve(m);
  for (Index i = 0; i < m; ++i)
    springs_.emplace_back(problem_.contacts()[i], unloading_, problem_.G.coeff(problem_.row[i], problem_.row[i]));
  const Scales scales(springs_, problem_, normal_);
  contradiction = scales.held;
  energy_scale_ = scales.energy;
  if (energy_scale_ <= 0 || contradiction >= 0) return;
  time_scale_ = std::numeric_limits<double>::infinity();
  noise_.resize(m);
  for (Index i = 0; i < m; ++i) {
    Spring& spring = springs_[i];
    scales.apply(spring, tolerance_);
    y_[i] = spring.indentation(problem_.contacts()[i].E0);
    noise_[i] = std::max(kNoise * tolerance_ * spring.speed, kRounding * normal_.gamma_terms[i]);
    if (spring.moves()) time_scale_ = std::min(time_scale_, spring.depth / spring.speed);
    lossy_ = lossy_ || spring.e < 1;
    spring.begin(y_[i], normal_.gamma_free[i], noise_[i]);
  }
  set_weights(task.care * kStepShare * tolerance_);
  stepper_.resize(y_.size());
  h_ = kFirstRubbingStep * time_scale_;
}

void Rubbing::set_weights(double error) {
  const Index m = contacts();
  weight_.setZero(y_.size());
  Vector speed(rows());
  for (Index i = 0; i < m; ++i) {
    speed.segment(problem_.row[i], 1 + friction_.tangents(i)).setConstant(springs_[i].speed);
    weight_[i] = 1 / (error * springs_[i].depth);
    weight_[m + rows() + i] = 1 / (error * energy_scale_);
  }
  for (Index row = 0; row < rows(); ++row) {
    double influence = 0;  // of an impulse on velocities, in their scales
    for (SparseMatrix::InnerIterator entry(problem_.G, row); entry; ++entry)
      influence = std::max(influence, std::abs(entry.value()) / speed[entry.row()]);
    weight_[m + row] = influence / error;
  }
}

// ---- the motion

Vector Rubbing::velocities(const double* y) const {
  const Eigen::Map<const Vector> Lambda(y + contacts(), rows());
  Vector gamma = problem_.gamma_free;
  if (G_.size() > 0)
    gamma.noalias() += G_ * Lambda;
  else
    gamma.noalias() += problem_.G * Lambda;
  return gamma;
}

Vector Rubbing::forces(const double* y, const Vector& gamma) const {
  Vector force = Vector::Zero(rows());
  for (Index i = 0; i < contacts(); ++i)
    if (springs_[i].phase != Phase::open) force[problem_.row[i]] = springs_[i].force(y[i]);
  friction_.add_tangential(gamma.data(), force.data());
  return force;
}

/// The factor of -gamma in s'.
double Rubbing::phi(Index i) const {
  const Spring& spring = springs_[i];
  if (!spring.moves() || spring.phase == Phase::open) return 0;
  return spring.unloading == Unloading::bi && spring.phase == Phase::expansion && spring.e > 0 ? spring.fast() : 1;
}

void Rubbing::motion(const double* y, double* dy) const {
  const Index m = contacts();
  const Vector gamma = velocities(y);
  const Vector force = forces(y, gamma);
  Eigen::Map<Vector>(dy + m, rows()) = force;
  for (Index i = 0; i < m; ++i) {
    const Index row = problem_.row[i];
    dy[i] = -phi(i) * gamma[row];
    const int tangents = friction_.tangents(i);
    dy[m + rows() + i] = -force.segment(row + 1, tangents).dot(gamma.segment(row + 1, tangents));
  }
  ++evaluations_;
}

// ---- grips

double Rubbing::slip_speed(Index i, const Vector& gamma) const {
  return gamma.segment(problem_.row[i] + 1, friction_.tangents(i)).norm();
}

/// The loaded contacts whose grip is open: those that stick, those that have stopped, and those that were pressed
/// together without slip. The others slip.
std::vector<Index> Rubbing::candidates(const std::vector<Index>& stopped) {
  std::vector<Index> result;
  for (Index i = 0; i < contacts(); ++i) {
    Grip& grip = friction_.grip[i];
    if (!friction_.acts_at(i) || springs_[i].phase == Phase::open) {
      grip = Grip::none;
      continue;
    }
    const bool still = slip_speed(i, gamma_) <= kStill * tolerance_ * springs_[i].speed;
    const bool has_stopped = std::find(stopped.begin(), stopped.end(), i) != stopped.end();
    if (grip == Grip::stick || has_stopped || (grip != Grip::slip && still))
      result.push_back(i);
    else if (grip != Grip::slip)
      friction_.slide(i, gamma_);
  }
  return result;
}

void Rubbing::decide(const std::vector<Index>& stopped) {
  stalls_ = time_ > decided_ ? 0 : std::min(stalls_ + 1, kMostFarther);
  decided_ = time_;
  const double moment = kAhead * std::max(h_, h_tried_) * std::pow(kFarther, stalls_);
  Vector ahead = Vector::Zero(rows());
  for (Index i = 0; i < contacts(); ++i) {
    if (springs_[i].phase == Phase::open) continue;
    const double s = y_[i] - phi(i) * gamma_[problem_.row[i]] * moment;
    ahead[problem_.row[i]] = springs_[i].force(std::max(0.0, s));
  }
  friction_.decide(candidates(stopped), gamma_, std::move(ahead));
  shared_ = shared_ || friction_.sticks_redundantly();
  y_.segment(contacts(), rows()) += friction_.stopping_impulse(gamma_);
  gamma_ = velocities(y_.data());
  fresh_ = true;
}

/// Contacts that have begun to slip and are fast enough by now to have a direction of their own.
void Rubbing::let_go() {
  for (Index i = 0; i < contacts(); ++i)
    if (friction_.grip[i] == Grip::start && slip_speed(i, gamma_) > kSlow * tolerance_ * springs_[i].speed) {
      friction_.slide(i, gamma_);
      friction_.prepare();
      fresh_ = true;
    }
}

// ---- events

/// What may end the next step.
void Rubbing::watch() {
  watches_.clear();
  bool holds = false;
  for (Index i = 0; i < contacts(); ++i) {
    const Spring& spring = springs_[i];
    if (!spring.moves()) continue;
    if (spring.phase == Phase::open) {
      watches_.push_back({i, Watched::closing});
      continue;
    }
    watches_.push_back({i, Watched::turn});
    if (spring.phase == Phase::expansion) watches_.push_back({i, Watched::release});
    if (friction_.grip[i] == Grip::start || (friction_.grip[i] == Grip::slip && !is_spatial(i)))
      watches_.push_back({i, Watched::stop});
    holds = holds || friction_.grip[i] == Grip::stick;
  }
  if (holds) watches_.push_back({-1, Watched::hold});
}

/// A number that falls below zero when it happens.
double Rubbing::value(const Watch& watch, const double* y, const Vector& gamma) const {
  if (watch.what == Watched::hold) return friction_.reserve(forces(y, gamma));
  const Index i = watch.contact, row = problem_.row[i];
  const Spring& spring = springs_[i];
  const double sign = kSign * spring.speed;
  switch (watch.what) {
    case Watched::turn:
      return spring.phase == Phase::compression ? sign - gamma[row] : gamma[row] + sign;
    case Watched::release:
      return y[i] - spring.floor();
    case Watched::closing:
      return gamma[row] + noise_[i];
    default:
      return friction_.slip_ahead(i, gamma) + kStill * tolerance_ * spring.speed;
  }
}

/// The longest step towards slip that vanishes and contacts that open: there the motion is not smooth.
double Rubbing::longest_step() const {
  double longest = std::numeric_limits<double>::infinity();
  const double* derivative = stepper_.start_derivative();
  const Vector acceleration = velocities(derivative) - problem_.gamma_free;
  for (Index i = 0; i < contacts(); ++i) {
    const Spring& spring = springs_[i];
    const Index row = problem_.row[i];
    if (spring.phase == Phase::expansion && spring.floor() == 0 && spring.eta != std::floor(spring.eta) &&
        y_[i] > faint(spring)) {
      const double gamma = std::max(0.0, gamma_[row]), gain = 2 * acceleration[row] * y_[i] / phi(i);
      const double root = gamma * gamma + gain;
      if (root > 0 && (gamma > 0 || gain > 0))
        longest = std::min(longest, kRelease * 2 * y_[i] / phi(i) / (gamma + std::sqrt(root)));
    }
    if (friction_.grip[i] != Grip::slip || !is_spatial(i)) continue;
    const double speed = slip_speed(i, gamma_);
    const double rate = gamma_.segment(row + 1, 2).dot(acceleration.segment(row + 1, 2)) / speed;
    if (rate < 0) longest = std::min(longest, kApproach * speed / -rate);
  }
  return longest;
}

/// An indentation whose rest of an impulse nobody sees.
double Rubbing::faint(const Spring& spring) const {
  return spring.depth * std::pow(kFaint * kStepShare * tolerance_, 1 / (spring.eta + 1));
}

/// Whether a slip in space turned round within the step: then it was too long.
bool Rubbing::reverses() const {
  const Vector after = velocities(stepper_.end());
  for (Index i = 0; i < contacts(); ++i) {
    if (friction_.grip[i] != Grip::slip || !is_spatial(i)) continue;
    const Index row = problem_.row[i] + 1;
    if (gamma_.segment(row, 2).dot(after.segment(row, 2)) <= 0) return true;
  }
  return false;
}

Rubbing::Sample Rubbing::sample(double part) const {
  Sample result{part, Vector(y_.size()), {}};
  for (Index i = 0; i < y_.size(); ++i) result.y[i] = part < 1 ? stepper_.value(i, part) : stepper_.end()[i];
  result.gamma = velocities(result.y.data());
  return result;
}

/// The part of the step after which something watched happens, between `low`, where it has not, and `high`, where it
/// has: secants and halves in turn.
double Rubbing::refine(const Watch& watched, Bracket bracket) const {
  constexpr double kEdge = 1e-3;  // of the bracket: a secant stays away from its ends
  for (int step = 0; step < kRefinements && bracket.high - bracket.low > kEventsLocated; ++step) {
    const double width = bracket.high - bracket.low;
    double part = bracket.low + 0.5 * width;
    if (step % 2 == 0 && bracket.before > 0)
      part = std::clamp(bracket.low + width * bracket.before / (bracket.before - bracket.after),
                        bracket.low + kEdge * width, bracket.high - kEdge * width);
    const Sample middle = sample(part);
    const double now = value(watched, middle.y.data(), middle.gamma);
    (now < 0 ? bracket.high : bracket.low) = part;
    (now < 0 ? bracket.after : bracket.before) = now;
  }
  return bracket.high;
}

/// The part of the step after which the first event happens, which is noted in `due_`; 2 if there is none.
double Rubbing::first_event() {
  std::vector<Sample> samples;
  samples.reserve(kSamples.size());
  for (const double part : kSamples) samples.push_back(sample(part));
  due_.clear();
  double first = 2;
  for (const Watch& watched : watches_) {
    Bracket bracket{0, 2, value(watched, y_.data(), gamma_), 0};
    for (const Sample& one : samples) {
      const double now = value(watched, one.y.data(), one.gamma);
      if (now < 0) {
        bracket.high = one.at;
        bracket.after = now;
        break;
      }
      bracket.low = one.at;
      bracket.before = now;
    }
    if (bracket.high > 1 || bracket.low > first + kTogether) continue;
    const double found = bracket.before >= 0 ? refine(watched, bracket) : bracket.low;
    if (found < first - kTogether) due_.clear();
    if (found <= first + kTogether) due_.push_back(watched);
    first = std::min(first, found);
  }
  return first;
}

/// Takes contacts through the events that are due.
void Rubbing::pass_events() {
  std::vector<Index> stopped;
  bool regrip = false;
  for (const Watch& watch : due_) {
    ++events_;
    if (watch.what == Watched::stop) stopped.push_back(watch.contact);
    if (watch.what == Watched::turn || watch.what == Watched::release || watch.what == Watched::closing)
      regrip = pass_phase(watch) || regrip;
    else
      regrip = true;
  }
  fresh_ = true;
  if (regrip) decide(stopped);
}

/// Whether grips have to be decided again.
bool Rubbing::pass_phase(const Watch& watch) {
  const Index i = watch.contact;
  Spring& spring = springs_[i];
  if (watch.what == Watched::closing) {
    y_[i] = 0;
    spring.close(0);
    return true;
  }
  if (watch.what == Watched::turn) {
    if (spring.phase == Phase::open) return false;
    spring.turn(y_[i], time_);
    if (spring.phase != Phase::expansion || spring.e > 0) return false;
  }
  if (spring.phase == Phase::open) return false;
  spring.open(y_[i], time_);
  return true;
}

// ---- time

bool Rubbing::is_alive(Index i) const {
  const Spring& spring = springs_[i];
  return spring.moves() && (gamma_[problem_.row[i]] < -noise_[i] || y_[i] > kNoise * spring.noise);
}

bool Rubbing::anything_alive() const {
  for (Index i = 0; i < contacts(); ++i)
    if (is_alive(i)) return true;
  return false;
}

/// Slip in space that has all but vanished.
std::vector<Index> Rubbing::stopped_in_space() const {
  std::vector<Index> result;
  for (Index i = 0; i < contacts(); ++i)
    if (friction_.grip[i] == Grip::slip && is_spatial(i) &&
        slip_speed(i, gamma_) <= kStill * tolerance_ * springs_[i].speed)
      result.push_back(i);
  return result;
}

bool Rubbing::attempt(double h) {
  const auto f = [this](double, const double* y, double* dy) { motion(y, dy); };
  if (std::exchange(fresh_, false)) stepper_.start(f, 0, y_.data());
  const double longest = longest_step();
  h_tried_ = std::min(h, longest);
  const double error = stepper_.attempt(f, 0, h_tried_, y_.data(), weight_.data());
  if (!(error <= 1)) {
    h_ = control_.after_failure(h_tried_, error);
    return false;
  }
  if (reverses()) {
    h_ = 0.5 * h_tried_;
    return false;
  }
  stepper_.finish(f, h_tried_);
  stepper_.interpolate(f, 0, h_tried_, y_.data());
  const double next = control_.after_success(h_tried_, error);
  h_ = h_tried_ < h ? std::max(h, next) : next;
  return true;
}

/// Moves to the end of the tried step, or to a part of it.
void Rubbing::take(double part) {
  const double length = part < 1 ? part * h_tried_ : h_tried_;
  if (part < 1) {
    fresh_ = true;
    if (length <= kShortest * time_scale_) return;
    const auto f = [this](double, const double* y, double* dy) { motion(y, dy); };
    stepper_.start(f, 0, y_.data());
    stepper_.attempt(f, 0, length, y_.data(), weight_.data());
  }
  y_ = Eigen::Map<const Vector>(stepper_.end(), y_.size());
  if (part >= 1) stepper_.advance();
  time_ += length;
  gamma_ = velocities(y_.data());
}

Status Rubbing::run() {
  if (contradiction >= 0) return Status::no_solution;
  if (energy_scale_ <= 0) return Status::solved;
  decide({});
  record();
  long next_look = kEventsPerLook;
  while (anything_alive()) {
    if (++steps_ > most_steps_ || !(h_ > kShortest * time_scale_)) {
      if (!ends_early(kLastLook)) return Status::iteration_limit;
      break;
    }
    if (const std::vector<Index> stopped = stopped_in_space(); !stopped.empty()) {
      ++events_;
      decide(stopped);
    }
    watch();
    if (!attempt(h_)) continue;
    const double part = first_event();
    take(part);
    if (part <= 1) pass_events();
    let_go();
    record();
    if (events_ < next_look) continue;
    next_look = events_ + kEventsPerLook;
    if (ends_early(kLook)) break;
  }
  finish();
  return Status::solved;
}

double Rubbing::duration() const {
  double last = 0;
  for (const Spring& spring : springs_) last = std::max(last, spring.released);
  return last;
}

double Rubbing::distance(const Rubbing& other) const {
  double result = 0;
  for (Index i = 0; i < contacts(); ++i)
    for (int t = 0; t <= friction_.tangents(i); ++t)
      result = std::max(result,
                        std::abs(gamma_[problem_.row[i] + t] - other.gamma_[problem_.row[i] + t]) / springs_[i].speed);
  return result;
}

// ---- the end

bool Rubbing::ends_early(double share) {
  double energy = 0;
  for (Index i = 0; i < contacts(); ++i) {
    const Spring& spring = springs_[i];
    if (!spring.moves()) continue;
    const double closing = std::max(0.0, -gamma_[problem_.row[i]]);
    energy += spring.energy(y_[i]) + 0.5 * closing * closing / spring.inverse_mass;
  }
  const double visible = share * tolerance_;
  ended_early_ = energy <= visible * visible * energy_scale_;
  return ended_early_;
}

/// What is too little to follow is let go; contacts that still close after ever weaker impacts are stopped.
void Rubbing::finish() {
  for (Index i = 0; i < contacts(); ++i) {
    Spring& spring = springs_[i];
    if (spring.phase == Phase::open) continue;
    if (spring.phase == Phase::compression) spring.turn(y_[i], time_);
    if (spring.phase == Phase::expansion) spring.open(y_[i], time_);
  }
  for (Index i = 0; lossy_ && i < contacts(); ++i)
    collapsed_ = collapsed_ || (springs_[i].reimpacts >= kManyReimpacts &&
                                std::abs(gamma_[problem_.row[i]]) <= 10 * tolerance_ * springs_[i].speed);
  if (!collapsed_ && !ended_early_) return;
  Vector normal(contacts());
  for (Index i = 0; i < contacts(); ++i) normal[i] = gamma_[problem_.row[i]];
  const numerics::LcpSolution end = numerics::solve_lcp(normal_.G(), normal, Vector());
  if (end.status != numerics::LcpStatus::solved) return;
  const Vector after = normal + normal_.G() * end.x;
  for (Index i = 0; i < contacts(); ++i) {
    springs_[i].dissipated -= 0.5 * end.x[i] * (normal[i] + after[i]);
    y_[contacts() + problem_.row[i]] += end.x[i];
  }
  gamma_ = velocities(y_.data());
}

void Rubbing::record() {
  if (path_ == nullptr) return;
  Path::State state;
  state.time = time_;
  state.force = state.stored = Vector::Zero(contacts());
  for (Index i = 0; i < contacts(); ++i) {
    if (springs_[i].phase == Phase::open) continue;
    state.force[i] = springs_[i].force(y_[i]);
    state.stored[i] = springs_[i].energy(std::max(0.0, y_[i]));
  }
  state.Lambda = Lambda();
  path_->states.push_back(std::move(state));
}

}  // namespace carom::springs

#include "laws/springs/rubbing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numerics/sparse_products.h"

namespace carom::springs {
namespace {

constexpr double kSlow = 100;      // of the tolerance: slip that starts is slow up to this
constexpr long kCrawl = 1000;      // steps without an event, after which
constexpr double kCrawling = 1;    // of the tolerance: slower slip than this is none
constexpr double kStopsToo = 0.1;  // of the tolerance: slower slip than this stops with that of a neighbour
constexpr int kStalled = 3;        // decisions without time between them, after which all that crawls stops
constexpr double kAhead = 1e-6;    // of a step: the moment ahead for which grips are decided
constexpr double kFarther = 10;    // as far, each time that no time has passed between two decisions
constexpr int kMostFarther = 5;
constexpr double kFirstRubbingStep = 0.1;  // of the impact's own time
constexpr double kShortest = 1e-15;        // the same: shorter steps are none
constexpr double kApproach = 0.6;  // of the time until slip stops, 0.9 of that until a contact opens: the longest step
constexpr double kRelease = 0.9;
constexpr double kFaint = 1e-2;  // of the step error, to the power 1 / (eta + 1): an indentation that opens at any time
constexpr double kCheapRows = 400;          // rows^2 of an evaluation that costs twice as much as that of one contact
constexpr double kEvaluationsPerStep = 16;  // of Runge-Kutta, with the interpolant
constexpr long kEventsPerLook = 64;         // between looks at whether the impact is dying out
constexpr Index kDenseRows = 64;            // up to this many rows G is used as a full matrix
constexpr double kLook = 0.05, kLastLook = 1;  // of the tolerance: velocities that the rest may change
constexpr double kAtRest = 0.3;  // of the tolerance: velocities, and accelerations in the impact's own time

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
/// together without slip. The others slip. Feet of one body come to rest together, though not to the last digit.
std::vector<Index> Rubbing::candidates(const std::vector<Index>& stopped) {
  std::vector<Index> result;
  const double crawling = stalls_ >= kStalled ? kCrawling : stopped.empty() ? 0 : kStopsToo;
  for (Index i = 0; i < contacts(); ++i) {
    Grip& grip = friction_.grip[i];
    if (!friction_.acts_at(i) || springs_[i].phase == Phase::open) {
      grip = Grip::none;
      continue;
    }
    const double slip = slip_speed(i, gamma_), unit = tolerance_ * springs_[i].speed;
    const bool still = slip <= kStill * unit;
    const bool has_stopped = slip <= crawling * unit || std::find(stopped.begin(), stopped.end(), i) != stopped.end();
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
  const Vector gamma = gamma_ + moment * (problem_.G * forces(y_.data(), gamma_));  // slip in space turns meanwhile
  friction_.decide(candidates(stopped), gamma, std::move(ahead));
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

// ---- time

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

bool Rubbing::is_alive(Index i) const {
  const Spring& spring = springs_[i];
  return spring.moves() && (gamma_[problem_.row[i]] < -noise_[i] || y_[i] > kNoise * spring.noise);
}

bool Rubbing::anything_alive() const {
  for (Index i = 0; i < contacts(); ++i)
    if (is_alive(i)) return true;
  return false;
}

/// Slip in space that has all but vanished, or that has crawled so long, stiffly, that it may as well stop and start.
std::vector<Index> Rubbing::stopped_in_space() const {
  const double slowest = (steps_ - last_event_ > kCrawl ? kCrawling : kStill) * tolerance_;
  std::vector<Index> result;
  for (Index i = 0; i < contacts(); ++i)
    if (friction_.grip[i] == Grip::slip && is_spatial(i) && slip_speed(i, gamma_) <= slowest * springs_[i].speed)
      result.push_back(i);
  return result;
}

/// Takes from contacts in space what is left of their slip.
void Rubbing::halt(const std::vector<Index>& stopped) {
  for (const Index i : stopped) friction_.grip[i] = Grip::stick;
  friction_.prepare();
  y_.segment(contacts(), rows()) += friction_.stopping_impulse(gamma_);
  gamma_ = velocities(y_.data());
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

/// Done so far, in steps of a small impact.
double Rubbing::work() const {
  const double entries = static_cast<double>(rows() * rows());
  return (static_cast<double>(evaluations_) * (1 + entries / kCheapRows) + friction_.work) / kEvaluationsPerStep;
}

Status Rubbing::run() {
  if (contradiction >= 0) return Status::no_solution;
  if (energy_scale_ <= 0) return Status::solved;
  decide({});
  record();
  long next_look = kEventsPerLook;
  while (anything_alive()) {
    if (++steps_ > most_steps_ || work() > static_cast<double>(most_steps_) || !(h_ > kShortest * time_scale_)) {
      if (!ends_early(kLastLook) && !ends_wedged(kLastLook)) return Status::iteration_limit;
      break;
    }
    if (const std::vector<Index> stopped = stopped_in_space(); !stopped.empty()) {
      ++events_;
      last_event_ = steps_;
      halt(stopped);
      decide(stopped);
    }
    watch();
    if (!attempt(h_)) continue;
    const double part = first_event();
    take(part);
    if (part <= 1) {
      pass_events();
      last_event_ = steps_;
    }
    let_go();
    record();
    if (ends_wedged(kAtRest)) break;
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

}  // namespace carom::springs

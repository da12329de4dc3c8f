#include <algorithm>
#include <array>

#include "laws/springs/rubbing.h"

namespace carom::springs {
namespace {

constexpr double kSign = 1e-14;      // of the speed of a contact: below it a velocity has no sign
constexpr double kTogether = 1e-10;  // of a step: events closer than this are one
constexpr double kNever = 2;         // no part of a step
constexpr int kRefinements = 80;
constexpr double kHoldLocated = 1e-12;  // of a step: contacts let go that near to when they do
constexpr double kEdge = 1e-3;          // of a bracket: a secant stays away from its ends
constexpr std::array<double, 4> kSamples = {0.25, 0.5, 0.75, 1};

}  // namespace

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

/// Rows of velocities over the step.
void Rubbing::interpolate_velocities() {
  Matrix impulses(rows(), kCoefficients);
  for (Index row = 0; row < rows(); ++row)
    impulses.row(row) = Eigen::Map<const Coefficients>(stepper_.polynomial(contacts() + row).data());
  if (G_.size() > 0)
    gamma_course_.noalias() = G_ * impulses;
  else
    gamma_course_.noalias() = problem_.G * impulses;
  gamma_course_.colwise() += problem_.gamma_free;
}

/// A number that falls below zero when something happens to one contact, over the step.
Rubbing::Course Rubbing::course(const Watch& watch) const {
  const Index i = watch.contact, row = problem_.row[i];
  const Spring& spring = springs_[i];
  const double sign = kSign * spring.speed;
  if (watch.what == Watched::release) {
    Course s = stepper_.polynomial(i);
    for (double& coefficient : s) coefficient -= spring.floor();
    return s;
  }
  Course result;
  Eigen::Map<Coefficients> values(result.data());
  if (watch.what == Watched::stop)
    values = friction_.slip_ahead(i, gamma_course_).array() + kStill * tolerance_ * spring.speed;
  else if (watch.what == Watched::closing)
    values = gamma_course_.row(row).array() + noise_[i];
  else if (spring.phase == Phase::compression)
    values = sign - gamma_course_.row(row).array();
  else
    values = gamma_course_.row(row).array() + sign;
  return result;
}

/// How far the contacts that stick are from slipping, below zero if they would.
double Rubbing::reserve_at(double part) const {
  Vector y(y_.size());
  for (Index i = 0; i < y.size(); ++i) y[i] = part < 1 ? stepper_.value(i, part) : stepper_.end()[i];
  return friction_.reserve(forces(y.data(), velocities(y.data())));
}

/// The part of the step after which a number falls below zero, 2 if it does not. One that is below zero at the start by
/// rounding must have risen soon.
double Rubbing::falls(const Course& course) {
  if (*std::min_element(course.begin(), course.end()) >= 0) return kNever;
  if (course[0] < 0 && numerics::value(course, kSamples[0]) < 0) return 0;
  return numerics::first_fall(course).value_or(course.back() < 0 ? 1 : kNever);
}

/// The part of the step after which the contacts that stick let go, if before `limit`; else 2.
double Rubbing::lets_go(double limit) const {
  double low = 0, before = friction_.reserve(forces(y_.data(), gamma_)), high = kNever, after = 0;
  for (const double part : kSamples) {
    const double now = reserve_at(part);
    if (now < 0) {
      high = part;
      after = now;
      break;
    }
    low = part;
    before = now;
  }
  if (high > 1 || low > limit) return kNever;
  if (before < 0) return low;
  for (int step = 0; step < kRefinements && high - low > kHoldLocated; ++step) {  // secants and halves in turn
    const double width = high - low;
    double part = low + 0.5 * width;
    if (step % 2 == 0 && before > 0)
      part = std::clamp(low + width * before / (before - after), low + kEdge * width, high - kEdge * width);
    const double now = reserve_at(part);
    (now < 0 ? high : low) = part;
    (now < 0 ? after : before) = now;
  }
  return high;
}

/// The part of the step after which the first event happens, which is noted in `due_`; 2 if there is none.
double Rubbing::first_event() {
  interpolate_velocities();
  due_.clear();
  double first = kNever;
  for (const Watch& watched : watches_) {
    const double found = watched.what == Watched::hold ? lets_go(first + kTogether) : falls(course(watched));
    if (found > 1) continue;
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

}  // namespace carom::springs

#include "carom/forces/engine/follower.h"

#include <algorithm>
#include <cmath>

namespace carom::forces {
namespace {

constexpr double kFirstOfContact = 0.02;  // of a contact's time: the step after its touch
constexpr double kFirstStep = 1e-3;       // of the shortest contact time
constexpr double kLeastStep = 1e-14;      // of the shortest contact time, or of the time passed: smaller is none
constexpr long kAtOneMoment = 20;         // events a contact: then time has to pass
constexpr double kTurnOfSlip = 0.6;       // of the time in which slip in space would end: the longest step

/// The longest step: slip and rolling in space may change their direction only so fast.
double longest_step(const Motion& motion, double t, const Vector& y, const Moment& moment) {
  double longest = HUGE_VAL;
  Vector acceleration;
  const auto look = [&](auto&& of) {
    if (acceleration.size() == 0) {
      acceleration.resize(motion.kinematics.rows());
      motion.kinematics.accelerate(t, y.data(), moment.force.data(), acceleration.data());
    }
    const double change = of(acceleration).norm();
    if (change > 0) longest = std::min(longest, kTurnOfSlip * of(moment.gamma).norm() / change);
  };
  for (Index i = 0; i < motion.contacts() && motion.kind() == FrictionKind::holding; ++i)
    if (motion.state[i].mode == ContactMode::slip && motion.tangents(i) == 2)
      look([&](const Vector& rows) { return motion.tangential(i, rows); });
  for (const Turning& one : motion.turning)
    if (one.gives && one.axes == 2 && motion.state[one.contact].phase == Phase::pressing)
      look([&](const Vector& rows) { return one.about(rows); });
  return longest;
}

}  // namespace

Follower::Follower(Motion& motion, const Scales& scales, double error, Vector start)
    : y(std::move(start)),
      motion_(motion),
      scales_(scales),
      stepper_(motion, scales, error),
      h_(kFirstStep * (scales.time.size() > 0 ? scales.time.minCoeff() : 1)) {}

void Follower::start() {
  stepper_.start(t, y);
}

bool Follower::step(const Moment& moment, double most) {
  happened.clear();
  const double shortest = scales_.time.size() > 0 ? scales_.time.minCoeff() : 0;
  const double least = kLeastStep * std::max(t, shortest);
  double h = std::max(std::min(h_, longest_step(motion_, t, y, moment)), least);
  const bool cut = h > most;
  if (cut) h = most;
  const double error = stepper_.attempt(t, h, y);
  if (!(error <= 1) && h > least) {
    h_ = control_.after_failure(h, error);
    return false;
  }
  const bool stuck_in_time = at_this_moment_ > kAtOneMoment * static_cast<long>(motion_.contacts());
  Stepper::Found found = stepper_.first_events(t, h, y, moment, stuck_in_time);
  double length = h;
  if (found.part > 0 && found.part < 1) {
    length = found.part * h;
    if (!(stepper_.attempt(t, length, y) <= HUGE_VAL)) {
      h_ = 0.5 * h;
      return false;
    }
  }
  const bool passed = found.part > 0;
  if (passed) {
    events += stepper_.note_peaks(t, length, y, moment);
    y = stepper_.end();
    end_ = stepper_.after();
    t += length;
    ++steps;
    if (length > least) at_this_moment_ = 0;
    if (found.events.empty() && !cut) h_ = control_.after_success(h, error);
  }
  if (!cut && !found.events.empty()) h_ = h;
  happened = std::move(found.events);
  bool restart = !happened.empty(), decide = false;
  if (!passed) end_ = moment;
  for (const Event& event : happened) decide = happen(event, motion_, scales_, t, y.data(), end_) || decide;
  events += static_cast<long>(happened.size());
  at_this_moment_ += static_cast<long>(happened.size());
  if (motion_.kind() == FrictionKind::holding && motion_.holds_redundantly())
    for (Index i = 0; i < motion_.contacts(); ++i)
      if (motion_.state[i].mode == ContactMode::stick && motion_.tangential(i, end_.gamma).norm() > scales_.noise)
        decide = true;
  if (decide)
    decide_sticking(motion_, scales_, t, y.data());
  else if (restart)
    motion_.hold(t, y.data());
  if (adjust_directions(motion_, scales_, y.data(), end_) || decide) restart = true;
  if (restart) {
    stepper_.start(t, y);
    for (const Event& event : happened)
      if (event.what == Happening::touches || event.what == Happening::presses || event.what == Happening::yields)
        h_ = std::min(h_, kFirstOfContact * scales_.time[event.contact]);
  } else {
    stepper_.advance(t);
  }
  return passed;
}

}  // namespace carom::forces

#include <algorithm>
#include <cmath>

#include "carom/forces/engine/events.h"

namespace carom::forces {
namespace {

constexpr double kHalts = 2;                // of noise: turning in space that has ended
constexpr double kTurns = 10;               // of noise: turning that gives way
constexpr double kTurningRounding = 1e-13;  // of moments, relative to their scale

double turning_noise(const Turning& one, const Scales& scales) {
  return scales.noise / one.resistance.radius;  // [rad/s]
}

}  // namespace

void watch_turning(const Motion& motion, std::vector<Event>& events) {
  for (Index j = 0; j < motion.turnings(); ++j)
    if (motion.state[motion.turning[j].contact].phase == Phase::pressing)
      events.push_back({motion.turning[j].contact, motion.turning[j].gives ? Happening::halts : Happening::gives, j});
}

EventValue value_of_turning(const Event& event, const Motion& motion, const Scales& scales, const double* y,
                            const Moment& moment) {
  const Turning& one = motion.turning[event.turning];
  const Turning::Pair w = one.about(moment.gamma);
  const double noise = turning_noise(one, scales);
  if (event.what == Happening::halts)
    return one.axes == 1 ? EventValue{one.heading * w[0], noise} : EventValue{w.norm() - kHalts * noise, 0};
  // It gives way where its spring is cut and still stretched: both below 0, in parts of what they are relative to.
  const Turning::Pair S = motion.turning_spring_of(event.turning, y);
  const double most = one.resistance.most(moment.force[motion.row(one.contact)]);
  const double scale = one.resistance.most(scales.force[one.contact]), size = S.norm();
  const double stretching = size > 0 ? -S.dot(w) / size : w.norm();
  return {std::max((most - size) / scale, (kTurns * noise - stretching) * one.resistance.radius / scales.speed),
          kTurningRounding};
}

void happen_to_turning(const Event& event, Motion& motion, double* y, const Moment& moment) {
  Turning& one = motion.turning[event.turning];
  const Turning::Pair w = one.about(moment.gamma), S = motion.turning_spring_of(event.turning, y);
  const Index at = motion.turning_spring(event.turning);
  const double pressed = moment.force[motion.row(one.contact)], k_n = motion.normal_stiffness(one.contact, moment);
  if (event.what == Happening::gives) {
    const double stored = one.stored(S, pressed, k_n, 0);
    one.gives = true;
    one.heading = w[0] < 0 ? -1 : 1;
    one.paid_from = y[motion.turned(event.turning)] - stored;
    y[at] = y[at + 1] = 0;
    return;
  }
  const double left = one.spring_left(pressed, k_n, motion.paid(event.turning, y));
  const Turning::Pair along = one.axes == 1 ? Turning::Pair(one.heading, 0) : Turning::Pair(w / w.norm());
  one.gives = false;
  y[at] = -left * along[0];
  y[at + 1] = -left * along[1];
}

void settle_turning(Index contact, Motion& motion, const Scales& scales, double* y, const Moment& moment) {
  for (Index j = 0; j < motion.turnings(); ++j) {
    Turning& one = motion.turning[j];
    if (one.contact != contact) continue;
    const Turning::Pair w = one.about(moment.gamma);
    one.gives = w.norm() > kTurns * turning_noise(one, scales);
    one.heading = w[0] < 0 ? -1 : 1;
    one.paid_from = y[motion.turned(j)];
    y[motion.turning_spring(j)] = y[motion.turning_spring(j) + 1] = 0;
  }
}

void release_turning(Index contact, Motion& motion, double* y) {
  for (Index j = 0; j < motion.turnings(); ++j)
    if (motion.turning[j].contact == contact) {
      motion.turning[j].gives = false;
      y[motion.turning_spring(j)] = y[motion.turning_spring(j) + 1] = 0;
    }
}

}  // namespace carom::forces

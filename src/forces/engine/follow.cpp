#include "carom/forces/engine/follow.h"

#include <algorithm>
#include <cmath>

#include "carom/forces/engine/follower.h"

namespace carom::forces {
namespace {

constexpr double kStepShare = 0.004;           // the error allowed in a step, in parts of the tolerance
constexpr double kNoise = 1e-3;                // speeds below this part of the tolerance are none
constexpr double kNoDepth = 1e-12;             // of a contact's depth
constexpr long kTries = 4, kEvaluations = 30;  // for each step that is allowed
constexpr double kRest = 100;                  // of noise: what moves less, and will, is at rest
constexpr double kKept = 1e-12;                // of an impact's energy: less is not kept
constexpr long kLook = 64;                     // steps between looks whether all is held

Scales scales_of(const Task& task, const Motion& motion) {
  const Index m = motion.contacts();
  Scales scales;
  scales.speed = approach_speed(task.kinematics, task.x);
  for (Index i = 0; i < m; ++i)
    if (task.mass[i] > 0 && task.E0[i] > 0)
      scales.speed = std::max(scales.speed, std::sqrt(2 * task.E0[i] / task.mass[i]));
  scales.noise = kNoise * task.tolerance * scales.speed;
  scales.set_contacts(motion, task.mass);
  return scales;
}

/// Contacts that touch or are indented at the beginning.
void begin(const Task& task, const Scales& scales, Motion& motion, Vector& y) {
  Moment moment;
  motion.observe(0, y.data(), moment);
  for (Index i = 0; i < motion.contacts(); ++i) {
    if (task.mass[i] <= 0) continue;
    const double rate = -moment.gamma[task.kinematics.row(i)];
    ContactState& one = motion.state[i];
    if (task.E0[i] <= 0 && rate <= scales.noise) {
      // One that rests is touched already, and has no approach speed of its own.
      if (std::abs(rate) <= scales.noise) {
        one.memory = motion.with_normal(i, [&](const auto& f) { return f.touch(scales.speed, task.mass[i]); });
        one.touched = true;
        --one.touches;
      }
      continue;
    }
    happen({i, Happening::touches}, motion, scales, 0, y.data(), moment);
    if (rate <= 0) {
      one.growing = false;
      one.memory = motion.with_normal(i, [&](const auto& f) { return f.turn(moment.d[i], one.memory); });
      if (one.memory.d_max > 0 && one.memory.d_p >= one.memory.d_max) one.phase = Phase::held;
    }
  }
  decide_sticking(motion, scales, 0, y.data());
}

/// Whether a contact does something, or will.
bool is_alive(const Motion& motion, const Scales& scales, Index i, const Moment& moment) {
  const ContactState& one = motion.state[i];
  const Index row = motion.row(i);
  if (scales.mass[i] <= 0) return false;
  const double gamma = moment.gamma[row];
  if (one.phase == Phase::open || one.phase == Phase::slack) return gamma < -scales.noise;
  if (gamma < -scales.noise || std::abs(moment.force[row]) * scales.time[i] > scales.noise * scales.mass[i])
    return true;
  return motion.with_normal(i, [](const auto& f) { return f.may_pull(); }) && moment.d[i] > kNoDepth * scales.depth[i];
}

/// Whether contacts stay compressed for ever: nothing moves there, and nothing will.
bool is_at_rest(const Motion& motion, const Scales& scales, double t, const Vector& y, const Moment& moment) {
  Vector acceleration(motion.kinematics.rows());
  motion.kinematics.accelerate(t, y.data(), moment.force.data(), acceleration.data());
  for (Index i = 0; i < motion.contacts(); ++i) {
    const Index row = motion.row(i);
    if (scales.mass[i] <= 0 || (moment.force[row] <= 0 && moment.gamma[row] >= -scales.noise)) continue;
    for (int k = 0; k <= motion.tangents(i); ++k)
      if (std::abs(moment.gamma[row + k]) > kRest * scales.noise ||
          std::abs(acceleration[row + k]) * scales.time[i] > kRest * scales.noise)
        return false;
  }
  return true;
}

void record(const Task& task, const Motion& motion, double t, const Vector& y) {
  if (task.path == nullptr) return;
  Moment moment;
  motion.evaluate(t, y.data(), moment);
  const Index m = motion.contacts();
  Path::State now;
  now.time = t;
  now.Lambda = y.segment(m, task.kinematics.rows());
  now.force.resize(m);
  now.stored.resize(m);
  now.indentation = moment.d;
  for (Index i = 0; i < m; ++i) {
    const ContactState& one = motion.state[i];
    now.force[i] = moment.force[task.kinematics.row(i)];
    now.stored[i] = one.phase == Phase::open
                        ? 0
                        : motion.with_normal(i, [&](const auto& f) { return f.stored(moment.d[i], one.memory); });
  }
  task.path->add(std::move(now));
}

Followed result_of(const Task& task, Motion& motion, const Scales& scales, double t, const Vector& y, bool rests) {
  Followed result;
  Moment moment;
  motion.evaluate(t, y.data(), moment);
  const Index m = motion.contacts();
  result.x = y.head(task.kinematics.size());
  result.gamma = moment.gamma;
  result.work = y.segment(motion.work(0), m);
  result.rubbed = y.segment(motion.rubbed(0), m);
  for (Index i = 0; i < m; ++i) {
    ContactState& one = motion.state[i];
    if (one.phase == Phase::pressing) count_work(one, y[motion.work(i)]);
    if (one.phase == Phase::pressing)
      result.kept += motion.with_normal(i, [&](const auto& f) { return f.stored(moment.d[i], one.memory); });
    result.duration = std::max(result.duration, one.last_force);
  }
  for (Index i = 0; i < m; ++i)
    result.wedged = result.wedged ||
                    (rests && scales.mass[i] > 0 && result.kept > kKept * scales.mass[i] * scales.speed * scales.speed);
  result.contacts = motion.state;
  result.speed = scales.speed;
  result.evaluations = motion.evaluations;
  return result;
}

}  // namespace

double approach_speed(const Kinematics& kinematics, const Vector& x) {
  Vector d(kinematics.contacts()), gamma(kinematics.rows());
  kinematics.observe(0, x.data(), d.data(), gamma.data());
  double speed = 0;
  for (Index i = 0; i < kinematics.contacts(); ++i) speed = std::max(speed, -gamma[kinematics.row(i)]);
  return speed;
}

Followed follow(const Task& task) {
  Motion motion(task.kinematics, task.normal, task.friction);
  const Scales scales = scales_of(task, motion);
  Vector y = Vector::Zero(motion.size());
  y.head(task.x.size()) = task.x;
  if (scales.speed <= 0) {
    Followed nothing = result_of(task, motion, scales, 0, y, false);
    nothing.status = Status::solved;
    return nothing;
  }
  begin(task, scales, motion, y);
  Follower follower(motion, scales, task.care * kStepShare * task.tolerance, y);
  bool shared = false, finished = false, rests = false;
  Moment moment;
  record(task, motion, 0, follower.y);
  follower.start();
  for (long tries = 0; tries < kTries * task.most_steps && follower.steps < task.most_steps; ++tries) {
    if (motion.evaluations > kEvaluations * task.most_steps) break;
    motion.evaluate(follower.t, follower.y.data(), moment);
    bool alive = false;
    for (Index i = 0; i < motion.contacts() && !alive; ++i) alive = is_alive(motion, scales, i, moment);
    finished = !alive;
    if (!finished && follower.steps % kLook == kLook - 1)
      finished = rests = is_at_rest(motion, scales, follower.t, follower.y, moment);
    if (finished) break;
    shared = shared || motion.holds_redundantly();
    if (follower.step(moment)) record(task, motion, follower.t, follower.y);
  }
  Followed result = result_of(task, motion, scales, follower.t, follower.y, rests);
  result.status = finished ? Status::solved : Status::iteration_limit;
  result.shared = shared;
  result.events = follower.events;
  result.steps = follower.steps;
  return result;
}

}  // namespace carom::forces

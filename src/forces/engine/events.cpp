#include "carom/forces/engine/events.h"

#include <algorithm>
#include <cmath>

namespace carom::forces {
namespace {

constexpr double kRounding = 1e-13;   // of values, relative to their scales
constexpr double kStops = 2;          // of noise: slip in space that has ended
constexpr double kSoon = 1e-6;        // of a contact's time: a moment later
constexpr double kSmallForce = 3e-6;  // (mu F)^2 / (m k_t v^2): below it, a spring points against the slip
constexpr double kAgain = 0.25;       // of that: does so again

ContactState& state_of(Motion& motion, Index i) {
  return motion.state[i];
}

bool is_planar(const Motion& motion, Index i) {
  return motion.tangents(i) == 1;
}

double stop_speed(const Motion& motion, const Scales& scales, const Moment& moment, Index i) {
  return std::max(kStops * scales.noise, kRounding * motion.tangential(i, moment.gamma).norm());
}

double force_noise(const Scales& scales, Index i) {
  return kRounding * scales.force[i];
}

void let_go(Motion& motion, Index i, double* y) {
  release_turning(i, motion, y);
  state_of(motion, i).mode = ContactMode::open;
  if (motion.has_springs()) y[motion.spring(i)] = y[motion.spring(i) + 1] = 0;
}

void set_spring(Motion& motion, Index i, double* y, const Eigen::Vector2d& value) {
  y[motion.spring(i)] = value[0];
  y[motion.spring(i) + 1] = value[1];
}

bool is_small_force(const Motion& motion, const Scales& scales, Index i, const Moment& moment, double share) {
  const double most = motion.mu(i) * moment.force[motion.row(i)];
  const double speed = motion.tangential(i, moment.gamma).norm();
  return most * most < share * kSmallForce * scales.mass[i] * motion.tangential_stiffness(i, moment) * speed * speed;
}

/// An elastic contact at its touch: sticks if its spring grows more slowly than what may be held.
void settle_elastic(Index i, Motion& motion, const Scales& scales, double* y, Moment moment) {
  ContactState& one = state_of(motion, i);
  const Index row = motion.row(i);
  const Eigen::Vector2d v = motion.tangential(i, moment.gamma);
  const double rate = -moment.gamma[row], soon = kSoon * scales.time[i];
  set_spring(motion, i, y, {0, 0});
  one.mode = ContactMode::stick;
  if (v.norm() <= scales.noise) return;
  moment.d[i] += std::max(rate, 0.0) * soon;
  const double pressed = motion.with_normal(i, [&](const auto& f) { return f.law(moment.d[i], rate, one.memory); });
  const double stretch = motion.tangential_stiffness(i, moment) * v.norm() * soon;
  if (rate > scales.noise && stretch <= motion.mu_s(i) * pressed) return;
  const bool planar = is_planar(motion, i);
  one.mode = planar ? ContactMode::slip : ContactMode::slip_aligned;
  if (planar) set_spring(motion, i, y, -v / v.norm());
}

/// Whether every touch has an e of its own.
template <class F>
bool depends_on_touch(const F& force) {
  if constexpr (requires { force.e_of; })
    return force.e_of != nullptr;
  else
    return false;
}

}  // namespace

void count_work(ContactState& one, double work) {
  const double done = work - one.counted;
  if (one.growing)
    one.compressed += done;
  else
    one.returned -= done;
  one.counted = work;
}

void settle(Index i, Motion& motion, const Scales& scales, double* y, const Moment& moment) {
  ContactState& one = state_of(motion, i);
  one.mode = ContactMode::open;
  if (!motion.rubs(i) || motion.kind() == FrictionKind::smooth) return;
  if (motion.kind() == FrictionKind::elastic) return settle_elastic(i, motion, scales, y, moment);
  const Eigen::Vector2d v = motion.tangential(i, moment.gamma);
  if (v.norm() <= kStops * stop_speed(motion, scales, moment, i)) {
    one.mode = ContactMode::stick;  // until it is decided
    return;
  }
  one.mode = ContactMode::slip;
  one.heading[0] = v[0] < 0 ? -1 : 1;
  one.heading[1] = 0;
}

std::vector<Event> watched(const Motion& motion, const Scales& scales) {
  std::vector<Event> events;
  for (Index i = 0; i < motion.contacts(); ++i) {
    const ContactState& one = motion.state[i];
    if (scales.mass[i] <= 0) continue;  // nothing moves it
    const auto watch = [&](Happening what) { events.push_back({i, what}); };
    if (one.phase == Phase::open) {
      watch(Happening::touches);
      continue;
    }
    if (one.phase == Phase::held) {
      watch(Happening::yields);
      watch(Happening::loosens);
    } else {
      watch(Happening::opens);
    }
    if (one.phase == Phase::slack) watch(Happening::presses);
    if (one.phase == Phase::pressing) {
      watch(one.growing ? Happening::turns : Happening::reloads);
      motion.with_normal(i, [&]<class F>(const F& f) {
        if (!F::remembers && !f.may_pull() && f.damping(scales.depth[i], one.memory) > 0) watch(Happening::slackens);
        if (F::remembers && !one.memory.loading) watch(Happening::loads);
      });
    }
    if (one.mode == ContactMode::stick && !(motion.kind() == FrictionKind::holding && motion.holds_redundantly()))
      watch(Happening::slips);
    if (motion.kind() == FrictionKind::holding &&
        (one.mode == ContactMode::slip || one.mode == ContactMode::slip_onset))
      watch(Happening::stops);
    if (motion.kind() == FrictionKind::elastic &&
        (one.mode == ContactMode::slip || one.mode == ContactMode::slip_aligned))
      watch(Happening::sticks);
  }
  watch_turning(motion, events);
  return events;
}

EventValue value_of(const Event& event, const Motion& motion, const Scales& scales, double t, const double* y,
                    const Moment& moment) {
  const Index i = event.contact, row = motion.row(i);
  const ContactState& one = motion.state[i];
  const double d = moment.d[i], rate = -moment.gamma[row], force = moment.force[row];
  const double depth_noise = std::max(kRounding * scales.depth[i], scales.rounding);
  const auto floor = [&] { return motion.with_normal(i, [&](const auto& f) { return f.floor(one.memory); }); };
  const auto reserve = [&] {
    return motion.with_normal(i, [&](const auto& f) {
      const double scale = std::abs(f.reserve(scales.depth[i], scales.speed, one.memory));
      return EventValue{f.reserve(d, rate, one.memory), kRounding * scale};
    });
  };
  switch (event.what) {
    case Happening::touches:
      return {floor() + scales.rounding - d, depth_noise};
    case Happening::opens:
      return {d - floor(), depth_noise};
    case Happening::slackens:
      return reserve();
    case Happening::presses: {
      const EventValue now = reserve();
      return {-now.value, now.noise};
    }
    case Happening::turns:
      return {rate, scales.noise};
    case Happening::reloads:
      return {-rate, scales.noise};
    case Happening::loads:
      return {one.memory.d_max - d, depth_noise};
    case Happening::yields: {
      Memory loading = one.memory;
      loading.loading = true;
      return {motion.with_normal(i, [&](const auto& f) { return f.law(d, 0, loading); }) - force,
              force_noise(scales, i)};
    }
    case Happening::loosens:
      return {force, force_noise(scales, i)};
    case Happening::stops:
      if (one.mode == ContactMode::slip_onset)
        return {Eigen::Vector2d(one.heading[0], one.heading[1]).dot(motion.tangential(i, moment.gamma)), scales.noise};
      if (is_planar(motion, i)) return {one.heading[0] * moment.gamma[row + 1], scales.noise};
      return {motion.tangential(i, moment.gamma).norm() - stop_speed(motion, scales, moment, i), 0};
    case Happening::slips:
      return {motion.mu_s(i) * std::max(force, 0.0) - motion.tangential(i, moment.force).norm(),
              force_noise(scales, i)};
    case Happening::sticks:
      return {motion.excess(i, t, y, moment), kRounding * scales.force[i] / scales.time[i]};
    case Happening::gives:
    case Happening::halts:
      return value_of_turning(event, motion, scales, y, moment);
  }
  return {};
}

bool is_passive(const Event& event, const Motion& motion) {
  if (motion.stops_at_turns || (event.what != Happening::turns && event.what != Happening::reloads)) return false;
  const Index i = event.contact;
  if (motion.kind() == FrictionKind::elastic && motion.rubs(i)) return false;
  for (const Turning& one : motion.turning)
    if (one.contact == i) return false;
  return motion.with_normal(i, []<class F>(const F&) { return !F::remembers; });
}

void count(const Event& event, Motion& motion, double d, double work) {
  ContactState& one = state_of(motion, event.contact);
  count_work(one, work);
  one.growing = event.what == Happening::reloads;
  if (one.growing)
    ++one.compressions;
  else
    one.deepest = std::max(one.deepest, d);
}

bool is_local(const Event& event, const Motion& motion) {
  switch (event.what) {
    case Happening::yields:
    case Happening::loosens:
    case Happening::sticks:
      return false;
    case Happening::slips:
      return motion.kind() != FrictionKind::holding;
    default:
      return motion.state[event.contact].phase != Phase::held;
  }
}

bool happen(const Event& event, Motion& motion, const Scales& scales, double /*t*/, double* y, const Moment& moment) {
  const Index i = event.contact, row = motion.row(i);
  ContactState& one = state_of(motion, i);
  const double d = moment.d[i], rate = -moment.gamma[row];
  const double work = y[motion.work(i)];
  const auto starts_to_press = [&] {
    one.phase = Phase::pressing;
    one.growing = rate >= 0;
    one.counted = work;
    if (one.growing) ++one.compressions;
    settle(i, motion, scales, y, moment);
    settle_turning(i, motion, scales, y, moment);
  };
  const auto is_dead_dent = [&] { return one.memory.d_max > 0 && one.memory.d_p >= one.memory.d_max; };
  const bool holding = motion.kind() == FrictionKind::holding && motion.rubs(i);
  switch (event.what) {
    case Happening::touches:
      one.memory = motion.with_normal(i, [&]<class F>(const F& f) {
        if (one.touched && !depends_on_touch(f)) return one.memory;
        const double speed = std::max(rate > scales.noise ? rate : scales.speed, scales.slowest);
        const Memory fresh = f.touch(speed, scales.mass[i]);
        if (!one.touched || !F::remembers) return fresh;
        Memory dent = one.memory;
        dent.v0 = fresh.v0;
        return dent;
      });
      one.touched = true;
      ++one.touches;
      starts_to_press();
      if (is_dead_dent()) {
        one.memory.loading = rate > scales.noise;
        if (!one.memory.loading) one.phase = Phase::held;
      }
      return holding || one.phase == Phase::held;
    case Happening::opens:
    case Happening::slackens:
    case Happening::loosens:
      count_work(one, work);
      one.phase = event.what == Happening::slackens ? Phase::slack : Phase::open;
      one.growing = false;
      let_go(motion, i, y);
      return motion.kind() == FrictionKind::holding;
    case Happening::presses:
      starts_to_press();
      return holding;
    case Happening::turns:
      count(event, motion, d, work);
      one.memory = motion.with_normal(i, [&](const auto& f) { return f.turn(d, one.memory); });
      if (is_dead_dent() && !one.memory.loading) one.phase = Phase::held;
      return false;
    case Happening::reloads:
      count(event, motion, d, work);
      return false;
    case Happening::loads: {
      const double before = motion.tangential_stiffness(i, moment);
      one.memory.loading = true;
      const double after = motion.tangential_stiffness(i, moment);
      if (motion.has_springs() && one.mode == ContactMode::stick && after < before) {
        y[motion.spring(i)] *= after / before;
        y[motion.spring(i) + 1] *= after / before;
      }
      return false;
    }
    case Happening::yields:
      one.phase = Phase::pressing;
      one.memory.loading = true;
      one.growing = true;
      ++one.compressions;
      return holding;
    case Happening::stops:
      settle(i, motion, scales, y, moment);  // sticks, until it is decided, if it is slow
      return true;
    case Happening::slips: {
      if (motion.kind() == FrictionKind::holding) {
        const Eigen::Vector2d held = motion.tangential(i, moment.force);
        if (held.norm() > 0) {
          one.mode = ContactMode::slip_onset;
          one.heading[0] = -held[0] / held.norm();
          one.heading[1] = -held[1] / held.norm();
        }
        return true;
      }
      const Eigen::Vector2d T(y[motion.spring(i)], y[motion.spring(i) + 1]);
      const double length = T.norm();
      one.mode = ContactMode::slip;
      if (length > 0)
        set_spring(motion, i, y, T / length);
      else
        settle(i, motion, scales, y, moment);
      return false;
    }
    case Happening::sticks:
      set_spring(motion, i, y, motion.tangential(i, moment.force));
      one.mode = ContactMode::stick;
      return false;
    case Happening::gives:
    case Happening::halts:
      happen_to_turning(event, motion, y, moment);
      return false;
  }
  return false;
}

bool adjust_directions(Motion& motion, const Scales& scales, double* y, const Moment& moment) {
  constexpr double kFree = 1e-8;  // of the speed: slip from which its own direction counts
  constexpr double kCrawl = 2;    // of noise: the same in the plane
  bool changed = false;
  for (Index i = 0; i < motion.contacts(); ++i) {
    ContactState& one = state_of(motion, i);
    if (one.phase != Phase::pressing || !motion.rubs(i)) continue;
    const Eigen::Vector2d v = motion.tangential(i, moment.gamma);
    const bool planar = is_planar(motion, i);
    if (one.mode == ContactMode::slip_onset && v.norm() > (planar ? kCrawl * scales.noise : kFree * scales.speed)) {
      one.mode = ContactMode::slip;
      if (planar) one.heading[0] = v[0] < 0 ? -1 : 1;
      changed = true;
    } else if (planar) {
      continue;
    } else if (one.mode == ContactMode::slip_aligned && !is_small_force(motion, scales, i, moment, 1)) {
      one.mode = ContactMode::slip;
      if (v.norm() > 0) set_spring(motion, i, y, -v / v.norm());
      changed = true;
    } else if (motion.kind() == FrictionKind::elastic && one.mode == ContactMode::slip &&
               is_small_force(motion, scales, i, moment, kAgain)) {
      one.mode = ContactMode::slip_aligned;
      changed = true;
    }
  }
  return changed;
}

}  // namespace carom::forces

#include "carom/forces/engine/follow.h"

#include <algorithm>
#include <cmath>

#include "carom/forces/engine/follower.h"
#include "carom/forces/engine/window.h"

namespace carom::forces {
namespace {

constexpr double kStepShare = 0.004;           // the error allowed in a step, in parts of the tolerance
constexpr double kNoise = 1e-3;                // speeds below this part of the tolerance are none
constexpr double kNoDepth = 1e-12;             // of a contact's depth
constexpr long kTries = 4, kEvaluations = 30;  // for each step that is allowed
constexpr double kRest = 100;                  // of noise: what moves less, and will, is at rest
constexpr double kKept = 1e-12;                // of an impact's energy: less is not kept
constexpr long kLook = 64;                     // steps between looks whether all is held
constexpr Index kManyContacts = 16;            // from which on a window of those that act is followed

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
    if (task.mass[i] <= 0 || moment.d[i] < 0) continue;
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
      // A dent that gives nothing back holds what rests in it and lets go of what parts.
      if (one.memory.d_max > 0 && one.memory.d_p >= one.memory.d_max) {
        one.phase = rate < -scales.noise ? Phase::open : Phase::held;
        if (one.phase == Phase::open) one.mode = ContactMode::open;
      }
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

/// Many contacts without friction, and no path of all of them is asked for.
bool has_windows(const Task& task, const Motion& motion) {
  if (task.kinematics.constant_mobility() == nullptr || task.path != nullptr) return false;
  if (motion.contacts() < kManyContacts) return false;
  for (Index i = 0; i < motion.contacts(); ++i)
    if (motion.rubs(i)) return false;
  return true;
}

template <class List>
List chosen_of(const List& all, const std::vector<Index>& chosen) {
  return std::visit(
      [&]<class F>(const std::vector<F>& every) -> List {
        std::vector<F> result;
        result.reserve(chosen.size());
        for (const Index i : chosen) result.push_back(every[i]);
        return result;
      },
      all);
}

/// All contacts while windows move over them.
class WindowedImpact {
 public:
  WindowedImpact(const Task& task, Motion& motion, const Scales& scales, Vector& y)
      : task_(task),
        motion_(motion),
        scales_(scales),
        y_(y),
        G_(*task.kinematics.constant_mobility()),
        flight_(flight_of(motion, y)) {
    contact_of_row_.assign(static_cast<std::size_t>(task.kinematics.rows()), -1);
    for (Index i = 0; i < motion.contacts(); ++i) {
      contact_of_row_[motion.row(i)] = i;
      if (motion.state[i].phase == Phase::open)
        release(i);
      else
        acting_.push_back(i);
    }
  }

  /// Until nothing acts or closes any more, or there were too many steps.
  void run() {
    while (task_.goes_on(steps, motion_.evaluations)) {
      Flight::Closing next = flight_.next();
      finished = acting_.empty() && next.contact < 0;
      if (finished) return;
      if (acting_.empty()) t = std::max(t, next.t);
      for (; next.t <= t; next = flight_.next()) {
        acting_.push_back(next.contact);
        flight_.take(next.contact);
      }
      std::sort(acting_.begin(), acting_.end());
      follow_window(members());
      if (finished) return;
    }
  }

  /// Writes the contacts that fly into y.
  void land() {
    for (Index i = 0; i < motion_.contacts(); ++i) y_[i] = flight_.d(i, t);
  }

  double t = 0;
  long steps = 0, events = 0;
  bool finished = false, rests = false;

 private:
  static Flight flight_of(const Motion& motion, const Vector& y) {
    Moment moment;
    motion.observe(0, y.data(), moment);
    Vector gamma(motion.contacts());
    for (Index i = 0; i < gamma.size(); ++i) gamma[i] = moment.gamma[motion.row(i)];
    return {moment.d, gamma};
  }

  void release(Index i) {
    if (scales_.mass[i] <= 0) return;  // nothing moves it
    const double floor = motion_.with_normal(i, [&](const auto& f) { return f.floor(motion_.state[i].memory); });
    flight_.release(i, floor, scales_.noise);
  }

  /// Those that act and those that feel it.
  std::vector<Index> members() const {
    std::vector<Index> result;
    for (const Index i : acting_)
      for (SparseMatrix::InnerIterator entry(G_, motion_.row(i)); entry; ++entry)
        if (const Index other = contact_of_row_[entry.row()]; other >= 0 && entry.value() != 0) result.push_back(other);
    result.insert(result.end(), acting_.begin(), acting_.end());
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  void follow_window(const std::vector<Index>& members) {
    const Index n = static_cast<Index>(members.size());
    std::vector<Index> rows;
    Vector gamma(n);
    for (Index i = 0; i < n; ++i) {
      rows.push_back(motion_.row(members[i]));
      gamma[i] = flight_.gamma(members[i]);
      flight_.take(members[i]);
    }
    const Window window(task_.kinematics.mobility(t, y_.data(), rows), gamma);
    Motion part(window, chosen_of(motion_.normal, members), chosen_of(motion_.friction, members));
    Scales scales = scales_;
    scales.mass = scales_.mass(members);
    scales.depth = scales_.depth(members);
    scales.force = scales_.force(members);
    scales.time = scales_.time(members);
    Vector y = Vector::Zero(part.size());
    std::vector<char> is_acting(members.size(), 0);
    for (Index i = 0; i < n; ++i) {
      part.state[i] = motion_.state[members[i]];
      is_acting[i] = std::binary_search(acting_.begin(), acting_.end(), members[i]);
      y[i] = flight_.d(members[i], t);
      y[part.work(i)] = y_[motion_.work(members[i])];
    }
    Follower follower(part, scales, task_.care * kStepShare * task_.tolerance, std::move(y));
    follower.t = t;
    if (proposed_ > 0) follower.propose(proposed_);
    part.hold(t, follower.y.data());
    follower.start();
    follow_until(part, scales, follower, is_acting, flight_.next().t);
    motion_.evaluations += part.evaluations;
    steps += follower.steps;
    events += follower.events;
    proposed_ = follower.proposed();
    t = follower.t;
    store(members, part, follower);
  }

  /// Until another contact of the window touches, one outside is due to, or nothing in it acts any more.
  void follow_until(Motion& part, const Scales& scales, Follower& follower, const std::vector<char>& is_acting,
                    double until) {
    Moment moment;
    died_ = false;
    for (long tries = 0; tries < kTries * task_.most_steps; ++tries) {
      if (!task_.goes_on(steps + follower.steps, part.evaluations) || follower.t >= until) return;
      part.evaluate(follower.t, follower.y.data(), moment);
      bool alive = false;
      for (Index i = 0; i < part.contacts() && !alive; ++i) alive = is_alive(part, scales, i, moment);
      // Others may still come: what presses slowly has all the time until then.
      died_ = !alive && until == HUGE_VAL;
      if (died_) return;
      if (follower.steps % kLook == kLook - 1 && until == HUGE_VAL &&
          is_at_rest(part, scales, follower.t, follower.y, moment)) {
        finished = rests = true;
        return;
      }
      follower.step(moment, until - follower.t);
      for (const Event& event : follower.happened)
        if (event.what == Happening::touches && !is_acting[event.contact]) return;
    }
  }

  void store(const std::vector<Index>& members, const Motion& part, const Follower& follower) {
    Moment now;
    part.evaluate(t, follower.y.data(), now);
    const Index n = part.contacts();
    acting_.clear();
    for (Index i = 0; i < n; ++i) {
      const Index whole = members[i];
      motion_.state[whole] = part.state[i];
      flight_.set(whole, t, now.d[i], now.gamma[i]);
      y_[motion_.contacts() + motion_.row(whole)] += follower.y[n + i];
      y_[motion_.work(whole)] = follower.y[part.work(i)];
      if (part.state[i].phase == Phase::open)
        release(whole);
      else if (!died_)
        acting_.push_back(whole);
    }
  }

  const Task& task_;
  Motion& motion_;
  const Scales& scales_;
  Vector& y_;
  const SparseMatrix& G_;
  Flight flight_;
  std::vector<Index> contact_of_row_;
  std::vector<Index> acting_;  // ascending
  bool died_ = false;          // nothing in the last window did or will do anything
  double proposed_ = 0;
};

Followed follow_in_windows(const Task& task, Motion& motion, const Scales& scales, Vector y) {
  WindowedImpact impact(task, motion, scales, y);
  impact.run();
  impact.land();
  Followed result = result_of(task, motion, scales, impact.t, y, impact.rests);
  result.status = impact.finished ? Status::solved : Status::iteration_limit;
  result.events = impact.events;
  result.steps = impact.steps;
  return result;
}

}  // namespace

bool Task::goes_on(long steps, long evaluations) const {
  const long work = std::max(steps, evaluations / kEvaluations);
  return work < most_steps && carom::goes_on(watch, static_cast<double>(work) / static_cast<double>(most_steps));
}

double approach_speed(const Kinematics& kinematics, const Vector& x) {
  Vector d(kinematics.contacts()), gamma(kinematics.rows());
  kinematics.observe(0, x.data(), d.data(), gamma.data());
  double speed = 0;
  for (Index i = 0; i < kinematics.contacts(); ++i) speed = std::max(speed, -gamma[kinematics.row(i)]);
  return speed;
}

Followed follow(const Task& task) {
  Motion motion(task.kinematics, task.normal, task.friction);
  motion.stops_at_turns = task.path != nullptr;  // a path shows the deepest indentations
  const Scales scales = scales_of(task, motion);
  Vector y = Vector::Zero(motion.size());
  y.head(task.x.size()) = task.x;
  if (scales.speed <= 0) {
    Followed nothing = result_of(task, motion, scales, 0, y, false);
    nothing.status = Status::solved;
    return nothing;
  }
  begin(task, scales, motion, y);
  if (has_windows(task, motion)) return follow_in_windows(task, motion, scales, std::move(y));
  Follower follower(motion, scales, task.care * kStepShare * task.tolerance, y);
  bool shared = false, finished = false, rests = false;
  Moment moment;
  record(task, motion, 0, follower.y);
  follower.start();
  for (long tries = 0; tries < kTries * task.most_steps; ++tries) {
    if (!task.goes_on(follower.steps, motion.evaluations)) break;
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

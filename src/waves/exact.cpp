#include "carom/waves/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace carom::waves {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kTogether = 1e-13;    // of the shorter crossing time: fronts that arrive within it are one
constexpr double kClock = 2e-14;       // of the time: what its sums may have lost
constexpr double kNoJump = 1e-13;      // of a rod's largest velocity: a step that is none
constexpr double kNoApproach = 1e-11;  // of the largest velocity beside: ends that neither press nor part
constexpr double kNoGap = 1e-11;       // of the largest gap since the contact opened

/// One side of a junction: the end of a rod, or what does not move.
struct Side {
  int rod = kNone;
  End end = End::left;
  bool moves = false;
  double Z = 0, crossing = kNever, force = 0;  // of the rod; force: outer one, towards the junction [N]
  std::size_t next = 1;                        // step of the rod's wave that arrives next
  double arriving = 0;                         // [N] of that wave now
  double v = 0, u = 0;                         // [m/s], [m] towards the junction
  double mobility() const { return moves ? 1 / Z : 0; }
  double free_velocity() const { return moves ? (2 * arriving + force) / Z : 0; }
};

/// A junction as it is at t. Both sides count towards it, so that a mirror image has the same numbers.
struct Meeting {
  Side left, right;
  bool contact = false, closed = false;
  double t = 0, gap = 0, largest_gap = 0, force = 0;
  double closes = kNever;  // [s] if nothing arrives before
};

class Follower {
 public:
  Follower(const RodsProblem& problem, const ExactOptions& options) : options_(options) {
    history_.problem = problem;
    history_.junctions = junctions_of(problem);
    history_.ends = ends_of(problem, history_.junctions);
    history_.met.resize(history_.junctions.size());
    for (const Rod& rod : problem.rods) {
      const double momentum = 0.5 * rod.Z() * rod.velocity;
      history_.waves.push_back({{{-rod.crossing(), momentum}}, {{-rod.crossing(), -momentum}}});
      fastest_.push_back(std::abs(rod.velocity));
    }
    for (const Junction& junction : history_.junctions) meetings_.push_back(meeting_of(junction));
    due_.assign(meetings_.size(), kNever);
  }

  WaveHistory run() {
    const double duration = history_.problem.duration;
    for (int k = 0; k < static_cast<int>(meetings_.size()); ++k) answer(k, 0);
    while (!queue_.empty() && queue_.begin()->first < duration) {
      const auto [t, k] = *queue_.begin();
      history_.reached = t;
      if (history_.fronts >= options_.most_fronts) return std::move(history_);
      if (!goes_on_to_end(options_.watch, t / duration)) {
        history_.cancelled = true;
        return std::move(history_);
      }
      if (is_too_late(meetings_[k], t)) {
        history_.too_late = true;
        return std::move(history_);
      }
      answer(k, t);
    }
    history_.reached = duration;
    history_.finished = true;
    return std::move(history_);
  }

 private:
  Side side_of(int rod, End end) const {
    if (rod == kNone) return {};
    const Rod& its = history_.problem.rods[rod];
    const double outward = end == End::right ? 1 : -1;
    return {.rod = rod,
            .end = end,
            .moves = !its.is_fixed(end),
            .Z = its.Z(),
            .crossing = its.crossing(),
            .force = outward * its.force_at(end),
            .arriving = 0.5 * its.Z() * outward * its.velocity};
  }

  Meeting meeting_of(const Junction& junction) const {
    Meeting result;
    result.left = side_of(junction.left, End::right);
    result.right = side_of(junction.right, End::left);
    result.contact = junction.contact;
    result.gap = result.largest_gap = junction.gap;
    return result;
  }

  /// The waves that arrive at and leave from a side of a junction.
  const Signal& arriving(const Side& side) const {
    return side.end == End::right ? history_.waves[side.rod].rightward : history_.waves[side.rod].leftward;
  }
  Signal& leaving(const Side& side) {
    return side.end == End::right ? history_.waves[side.rod].leftward : history_.waves[side.rod].rightward;
  }

  static double together(const Meeting& at, double t) {
    const double crossing = std::min(at.left.crossing, at.right.crossing);
    return kTogether * crossing + kClock * t;
  }

  /// Whether a rod that ends here is crossed within the rounding of the time.
  static bool is_too_late(const Meeting& at, double t) {
    constexpr double kResolved = 1e-3;  // of the crossing time
    return kClock * t > kResolved * std::min(at.left.crossing, at.right.crossing);
  }

  void receive(Side& side, double until) const {
    if (side.rod == kNone) return;
    const Signal& signal = arriving(side);
    for (; side.next < signal.size() && signal[side.next].t + side.crossing <= until; ++side.next)
      side.arriving = signal[side.next].value;
  }

  double next_arrival(const Side& side) const {
    if (side.rod == kNone) return kNever;
    const Signal& signal = arriving(side);
    return side.next < signal.size() ? signal[side.next].t + side.crossing : kNever;
  }

  /// The gap at t, zero if it is rounding.
  static void advance(Meeting& at, double t) {
    const double passed = t - at.t, closing = at.left.v + at.right.v;
    at.left.u += at.left.v * passed;
    at.right.u += at.right.v * passed;
    at.t = t;
    if (at.closed || at.gap == 0) return;
    at.gap -= closing * passed;
    at.largest_gap = std::max(at.largest_gap, at.gap);
    const bool rounding = closing > 0 && at.gap <= kNoGap * at.largest_gap + closing * together(at, t);
    if (rounding || t >= at.closes || at.gap < 0) at.gap = at.largest_gap = 0;
  }

  double fastest(const Side& side) const { return side.rod == kNone ? 0 : fastest_[side.rod]; }

  /// Forces and velocities of the ends for what arrives.
  void settle(Meeting& at) const {
    at.left.v = at.left.free_velocity();
    at.right.v = at.right.free_velocity();
    at.force = 0;
    at.closed = false;
    if (!at.contact || at.gap > 0) return;
    const double approach = at.left.v + at.right.v;
    const double nothing =
        kNoApproach * std::max({fastest(at.left), fastest(at.right), std::abs(at.left.v), std::abs(at.right.v)});
    at.closed = approach >= -nothing;
    if (approach <= nothing) return;
    const double left = at.left.mobility(), right = at.right.mobility();
    at.force = approach / (left + right);
    const double together = (right * at.left.v - left * at.right.v) / (left + right);
    at.left.v = together;
    at.right.v = -together;
  }

  /// Sends out what the end answers to what arrives: their sum is the pressure, or they are equal where it is held.
  void send(const Meeting& at, const Side& side) {
    if (side.rod == kNone) return;
    const double pressure = side.moves ? at.force - side.force : 2 * side.arriving, answer = pressure - side.arriving;
    double& fastest = fastest_[side.rod];
    fastest = std::max({fastest, std::abs(side.v), std::abs(pressure) / side.Z});
    Signal& signal = leaving(side);
    const double no_jump = at.force > 0 ? kNoJump * side.Z * fastest : 0;  // without a force the answer is not rounded
    if (std::abs(answer - signal.back().value) <= no_jump) return;
    signal.push_back({at.t, answer});
    ++history_.fronts;
  }

  void note(int k, const Meeting& at) {
    const JunctionStep step{at.t, at.force, at.left.v, -at.right.v, at.left.u, -at.right.u, at.closed};
    std::vector<JunctionStep>& steps = history_.met[k];
    if (!steps.empty() && steps.back().t == at.t) steps.pop_back();
    steps.push_back(step);
  }

  void schedule(int k) {
    if (k < 0 || k >= static_cast<int>(meetings_.size())) return;
    Meeting& at = meetings_[k];
    const double next = std::min({next_arrival(at.left), next_arrival(at.right), at.closes});
    if (next == due_[k]) return;
    if (due_[k] < kNever) queue_.erase({due_[k], k});
    due_[k] = next;
    if (next < kNever) queue_.insert({next, k});
  }

  void answer(int k, double t) {
    Meeting& at = meetings_[k];
    advance(at, t);
    receive(at.left, t + together(at, t));
    receive(at.right, t + together(at, t));
    settle(at);
    const double closing = at.left.v + at.right.v;
    const bool opens = at.contact && at.gap == 0 && !at.closed;
    at.closes = at.contact && at.gap > 0 && closing > 0 ? t + at.gap / closing : kNever;
    if (opens) at.gap = std::numeric_limits<double>::min();  // it is open, though nothing is between yet
    send(at, at.left);
    send(at, at.right);
    note(k, at);
    schedule(k);
    if (at.left.rod != kNone) schedule(history_.ends[at.left.rod].left);
    if (at.right.rod != kNone) schedule(history_.ends[at.right.rod].right);
  }

  ExactOptions options_;
  WaveHistory history_;
  std::vector<Meeting> meetings_;           // one a junction
  std::vector<double> fastest_;             // [m/s] one a rod: the largest velocity at its ends so far
  std::vector<double> due_;                 // [s] one a junction: when it changes next
  std::set<std::pair<double, int>> queue_;  // the same in order
};

}  // namespace

WaveHistory follow(const RodsProblem& problem, const ExactOptions& options) {
  validate(problem);
  return Follower(problem, options).run();
}

}  // namespace carom::waves

#include <algorithm>
#include <cmath>

#include "carom/forces/engine/events.h"
#include "carom/numerics/disc_program.h"

namespace carom::forces {
namespace {

constexpr double kMomentLater = 1e-6;  // of a contact's time
constexpr double kSlow = 10;           // of noise: slip that ends with what ends beside it
constexpr double kHeld = 1e-9;         // accelerations below this share of their terms are none

/// Contacts that press, rub and do not slip.
std::vector<Index> undecided(const Motion& motion, const Scales& scales, const Moment& moment) {
  std::vector<Index> result;
  for (Index i = 0; i < motion.contacts(); ++i) {
    const ContactState& one = motion.state[i];
    if (one.phase != Phase::pressing && one.phase != Phase::held) continue;
    if (!motion.rubs(i) || one.mode == ContactMode::slip_onset) continue;
    if (motion.tangential(i, moment.gamma).norm() <= kSlow * scales.noise) result.push_back(i);
  }
  return result;
}

struct Question {
  std::vector<Index> rows;
  std::vector<numerics::Disc> discs;
};

Question question(const Motion& motion, const std::vector<Index>& contacts, const Vector& force) {
  Question result;
  for (const Index i : contacts) {
    const int tangents = motion.tangents(i);
    const double pressed = std::max(force[motion.row(i)], 0.0);
    result.discs.push_back({static_cast<Index>(result.rows.size()), tangents, motion.mu_s(i) * pressed});
    for (int t = 1; t <= tangents; ++t) result.rows.push_back(motion.row(i) + t);
  }
  return result;
}

}  // namespace

void decide_sticking(Motion& motion, const Scales& scales, double t, double* y) {
  if (motion.kind() != FrictionKind::holding) {
    motion.hold(t, y);
    return;
  }
  Moment now;
  motion.hold(t, y);
  motion.evaluate(t, y, now);
  std::vector<Index> asked = undecided(motion, scales, now);
  for (Index i = 0; i < motion.contacts(); ++i)
    if (motion.state[i].mode == ContactMode::stick && std::find(asked.begin(), asked.end(), i) == asked.end())
      settle(i, motion, scales, y, now);
  for (const Index i : asked) motion.state[i].mode = ContactMode::open;
  motion.hold(t, y);

  // The forces of a moment later, because at a touch there are none yet.
  Moment soon;
  motion.evaluate(t, y, soon);
  const auto normal_soon = [&](Index i) {
    const ContactState& one = motion.state[i];
    const Index row = motion.row(i);
    const double rate = -soon.gamma[row];
    if (one.phase != Phase::pressing || soon.force[row] > 0) return soon.force[row];
    const double d = soon.d[i] + std::max(rate, 0.0) * kMomentLater * scales.time[i];
    return motion.with_normal(i, [&](const auto& f) { return f.law(d, rate, one.memory); });
  };
  for (Index i = 0; i < motion.contacts(); ++i) {
    const Index row = motion.row(i);
    const double before = soon.force[row], after = normal_soon(i);
    soon.force[row] = after;
    const ContactState& one = motion.state[i];
    if (before > 0 || after <= 0 || !motion.rubs(i)) continue;
    if (one.mode != ContactMode::slip && one.mode != ContactMode::slip_onset) continue;
    const Eigen::Vector2d v = motion.tangential(i, soon.gamma);
    for (int k = 0; k < motion.tangents(i); ++k)
      soon.force[row + 1 + k] = v.norm() > 0 ? -motion.mu(i) * after * v[k] / v.norm() : 0;
  }

  while (!asked.empty()) {
    const auto [rows, discs] = question(motion, asked, soon.force);
    Vector acceleration(motion.kinematics.rows());
    for (const Index row : rows) soon.force[row] = 0;
    motion.kinematics.accelerate(t, y, soon.force.data(), acceleration.data());
    const Matrix G = motion.kinematics.mobility(t, y, rows);
    const numerics::DiscSolution solution = numerics::solve_disc_program(G, acceleration(rows), discs);
    std::vector<Index> stuck;
    bool drops = false;
    for (std::size_t j = 0; j < asked.size(); ++j) {
      const Index i = asked[j];
      ContactState& one = motion.state[i];
      const Vector slope = solution.slope.segment(discs[j].start, discs[j].size);
      const Vector held = solution.x.segment(discs[j].start, discs[j].size);
      double terms = 0;
      for (int k = 0; k < discs[j].size; ++k)
        terms += std::abs(acceleration[rows[static_cast<std::size_t>(discs[j].start + k)]]) +
                 std::abs(G(discs[j].start + k, discs[j].start + k)) * discs[j].radius;
      if (slope.norm() <= kHeld * terms) {
        one.mode = ContactMode::stick;
        stuck.push_back(i);
        continue;
      }
      const Vector heading = held.norm() > 0 ? Vector(-held / held.norm()) : Vector(slope / slope.norm());
      one.mode = ContactMode::slip_onset;
      one.heading[0] = heading[0];
      one.heading[1] = discs[j].size == 2 ? heading[1] : 0;
      drops = drops || motion.mu_s(i) > motion.mu(i);
      const Index row = motion.row(i);
      for (int k = 0; k < discs[j].size; ++k)
        soon.force[row + 1 + k] = -motion.mu(i) * std::max(soon.force[row], 0.0) * heading[k];
    }
    // Who slips holds with mu only: those that stuck beside it are asked again.
    if (!drops || stuck.empty()) break;
    asked = stuck;
  }
  motion.hold(t, y);
  if (motion.held_rows().empty()) return;
  motion.observe(t, y, now);
  const Vector impulse = motion.stopping_impulse(now.gamma);
  motion.kinematics.push(t, impulse.data(), y);
}

}  // namespace carom::forces

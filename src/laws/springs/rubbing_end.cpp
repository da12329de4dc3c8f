#include <algorithm>
#include <cmath>

#include "laws/springs/rubbing.h"
#include "numerics/lcp.h"

namespace carom::springs {

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

/// Whether friction holds springs that are still compressed: what touches is at rest, and all forces are in balance.
bool Rubbing::ends_wedged(double share) {
  const auto is_still = [&](const Vector& velocities, double scale) {
    for (Index i = 0; i < contacts(); ++i) {
      const Spring& spring = springs_[i];
      const Index row = problem_.row[i];
      const double slowest = share * tolerance_ * spring.speed;
      if (!spring.moves() || (spring.phase == Phase::open && gamma_[row] > slowest)) continue;
      if (scale * velocities.segment(row, 1 + friction_.tangents(i)).cwiseAbs().maxCoeff() > slowest) return false;
    }
    return true;
  };
  if (!is_still(gamma_, 1) || !is_still(problem_.G * forces(y_.data(), gamma_), time_scale_)) return false;
  double stored = 0;
  for (Index i = 0; i < contacts(); ++i)
    if (springs_[i].phase != Phase::open) stored += springs_[i].energy(std::max(0.0, y_[i]));
  wedged_ = stored > tolerance_ * tolerance_ * energy_scale_;  // else it just fades
  return wedged_;
}

/// What is too little to follow is let go; contacts that still close after ever weaker impacts are stopped.
void Rubbing::finish() {
  for (Index i = 0; i < contacts(); ++i) {
    Spring& spring = springs_[i];
    if (spring.phase == Phase::open) continue;
    if (spring.phase == Phase::compression) spring.turn(y_[i], time_);
    kept_ += spring.recoverable(y_[i]);
    spring.dissipated += spring.recoverable(y_[i]);
    if (spring.phase == Phase::expansion) spring.open(y_[i], time_);
  }
  for (Index i = 0; lossy_ && i < contacts(); ++i)
    collapsed_ = collapsed_ || (springs_[i].reimpacts >= kManyReimpacts &&
                                std::abs(gamma_[problem_.row[i]]) <= 10 * tolerance_ * springs_[i].speed);
  if (!collapsed_ && !ended_early_ && !wedged_) return;
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
  path_->add(std::move(state));
}

}  // namespace carom::springs

#include <algorithm>
#include <cmath>
#include <utility>

#include "laws/springs/impact.h"
#include "numerics/lcp.h"

namespace carom::springs {
namespace {

constexpr Index kProjected = 2000;  // beyond this many contacts what is left below the tolerance stays

}  // namespace

/// Whether what the contacts hold and what closing ones bring could change velocities only by a share of the tolerance.
bool Impact::ends_early(double share) {
  double energy = 0;
  for (Index l = 0; l < window_.size(); ++l) {
    const Spring& spring = springs_[window_.contact[l]];
    if (!spring.moves()) continue;
    const double closing = std::max(0.0, -window_.gamma[l]);
    energy += spring.energy(window_.y[l]) + 0.5 * closing * closing / spring.inverse_mass;
  }
  const double visible = share * tolerance_;
  ended_early_ = energy <= visible * visible * energy_scale_;
  return ended_early_;
}

/// Whether what is left at the end is worth a complementarity problem: in small systems and in rows of bodies.
bool Impact::is_projected() const {
  return problem_.size() <= kProjected || G_.nonZeros() <= 3 * problem_.size();
}

/// Whether the end was only that nothing visible was left of a long row of re-impacts.
bool Impact::is_faded() const {
  if (!lossy_) return false;
  for (Index i = 0; i < problem_.size(); ++i)
    if (springs_[i].reimpacts >= kManyReimpacts && std::abs(gamma_[i]) <= 10 * tolerance_ * springs_[i].speed)
      return true;
  return false;
}

/// Ends an impact that dies out: the contacts that still close are stopped at once.
void Impact::project() {
  if (!is_projected()) return;
  const numerics::LcpSolution end = numerics::solve_lcp(G_, gamma_, Vector());
  if (end.status != numerics::LcpStatus::solved) return;
  const Vector after = gamma_ + G_ * end.x;
  for (Index i = 0; i < problem_.size(); ++i) {
    springs_[i].dissipated += springs_[i].energy(s_[i]) - 0.5 * end.x[i] * (gamma_[i] + after[i]);
    s_[i] = 0;
  }
  Lambda_ += end.x;
  gamma_ = after;
}

void Impact::record() const {
  if (path_ == nullptr) return;
  const Index n = window_.size();
  Path::State state;
  state.time = time_;
  state.force = state.stored = Vector::Zero(problem_.size());
  Vector Lambda = Lambda_;
  for (Index l = 0; l < n; ++l) {
    const Index i = window_.contact[l];
    Lambda[i] += window_.y[n + l];
    state.force[i] = springs_[i].force(window_.y[l]);
    state.stored[i] = springs_[i].energy(std::max(0.0, window_.y[l]));
  }
  state.Lambda = normal_.to_rows(Lambda);
  path_->add(std::move(state));
}

}  // namespace carom::springs

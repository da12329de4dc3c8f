#include "carom/laws/springs/frictional_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/numerics/sparse_products.h"

namespace carom::springs {
namespace {

constexpr Index kDenseRows = 64;            // up to this many rows G is used as a full matrix
constexpr double kCheapRows = 400;          // rows^2 of an evaluation that costs twice as much as that of one contact
constexpr double kEvaluationsPerStep = 16;  // of Runge-Kutta, with the interpolant

}  // namespace

FrictionalMotion::FrictionalMotion(const System& system)
    : state(static_cast<std::size_t>(system.size())), friction(system.problem), system_(system) {
  if (rows() <= kDenseRows) G_ = Matrix(system.problem.G);
}

double FrictionalMotion::rate(Index i, double gamma) const {
  const Spring& spring = system_.springs[i];
  if (!spring.moves() || state[i].phase == Phase::open) return 0;
  if (state[i].phase == Phase::compression) return -gamma;
  return by_impulse() ? -state[i].fall : -spring.rate(state[i]) * gamma;
}

double FrictionalMotion::time_to_release(Index i, double s, double gamma, double acceleration) const {
  if (by_impulse()) return s / state[i].fall;
  const double rate = system_.springs[i].rate(state[i]), opening = std::max(0.0, gamma);
  const double gain = 2 * acceleration * s / rate, root = opening * opening + gain;
  if (!(root > 0 && (opening > 0 || gain > 0))) return std::numeric_limits<double>::infinity();
  return 2 * s / rate / (opening + std::sqrt(root));
}

bool FrictionalMotion::count_impulse(Index i, double s, double Lambda) {
  SpringState& own = state[i];
  const double energy = system_.springs[i].energy(s), e = system_.springs[i].e(own);
  if (own.phase == Phase::compression) {
    own.base = Lambda - energy / (own.fall * e);
    return true;
  }
  const double to_come = e * (Lambda - own.base);
  if (!(to_come > 0 && energy > 0)) return false;
  own.fall = energy / to_come;
  return true;
}

Matrix FrictionalMotion::accelerations(const Matrix& forces) const {
  Matrix result;
  if (G_.size() > 0)
    result.noalias() = G_ * forces;
  else
    result.noalias() = system_.problem.G * forces;
  return result;
}

Vector FrictionalMotion::velocities(const double* y) const {
  const Eigen::Map<const Vector> Lambda(y + contacts(), rows());
  Vector gamma = system_.problem.gamma_free;
  if (G_.size() > 0)
    gamma.noalias() += G_ * Lambda;
  else
    gamma.noalias() += system_.problem.G * Lambda;
  return gamma;
}

Vector FrictionalMotion::forces(const double* y, const Vector& gamma) const {
  Vector force = Vector::Zero(rows());
  for (Index i = 0; i < contacts(); ++i)
    if (state[i].phase != Phase::open) force[row(i)] = system_.springs[i].force(y[i]);
  friction.add_tangential(gamma.data(), force.data());
  return force;
}

void FrictionalMotion::operator()(double /*t*/, const double* y, double* dy) const {
  const Index m = contacts();
  const Vector gamma = velocities(y);
  const Vector force = forces(y, gamma);
  Eigen::Map<Vector>(dy + m, rows()) = force;
  for (Index i = 0; i < m; ++i) {
    dy[i] = rate(i, gamma[row(i)]);
    if (by_impulse()) dy[2 * m + rows() + i] = -force[row(i)] * gamma[row(i)];
    const int tangents = friction.tangents(i);
    dy[m + rows() + i] = -force.segment(row(i) + 1, tangents).dot(gamma.segment(row(i) + 1, tangents));
  }
  ++evaluations;
}

Vector FrictionalMotion::weights(double error) const {
  const Index m = contacts();
  Vector weight = Vector::Zero(size()), speed(rows());
  for (Index i = 0; i < m; ++i) {
    const Spring& spring = system_.springs[i];
    speed.segment(row(i), 1 + friction.tangents(i)).setConstant(spring.speed);
    weight[i] = 1 / (error * spring.depth);
    weight[m + rows() + i] = 1 / (error * system_.energy_scale);
    if (by_impulse()) weight[2 * m + rows() + i] = weight[m + rows() + i];
  }
  for (Index r = 0; r < rows(); ++r) {
    double influence = 0;  // of an impulse on velocities, in their scales
    for (SparseMatrix::InnerIterator entry(system_.problem.G, r); entry; ++entry)
      influence = std::max(influence, std::abs(entry.value()) / speed[entry.row()]);
    weight[m + r] = influence / error;
  }
  return weight;
}

double FrictionalMotion::work() const {
  const double entries = static_cast<double>(rows() * rows());
  return (static_cast<double>(evaluations) * (1 + entries / kCheapRows) + friction.work) / kEvaluationsPerStep;
}

}  // namespace carom::springs

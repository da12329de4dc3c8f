#include "carom/laws/springs/frictional_motion.h"

#include <algorithm>
#include <cmath>

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

double FrictionalMotion::phi(Index i) const {
  const Spring& spring = system_.springs[i];
  if (!spring.moves() || state[i].phase == Phase::open) return 0;
  return state[i].phase == Phase::expansion ? spring.rate(state[i]) : 1;
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
    dy[i] = -phi(i) * gamma[row(i)];
    const int tangents = friction.tangents(i);
    dy[m + rows() + i] = -force.segment(row(i) + 1, tangents).dot(gamma.segment(row(i) + 1, tangents));
  }
  ++evaluations;
}

Vector FrictionalMotion::weights(double error) const {
  const Index m = contacts();
  Vector weight = Vector::Zero(2 * m + rows()), speed(rows());
  for (Index i = 0; i < m; ++i) {
    const Spring& spring = system_.springs[i];
    speed.segment(row(i), 1 + friction.tangents(i)).setConstant(spring.speed);
    weight[i] = 1 / (error * spring.depth);
    weight[m + rows() + i] = 1 / (error * system_.energy_scale);
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

#pragma once

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <cmath>
#include <numbers>

#include "random_problem.h"

namespace carom::testing {

inline void add_rough_contacts(Random& random, Index count, int tangents, ImpactProblem& problem) {
  for (Index j = 0; j < count; ++j)
    problem.contacts.push_back({.name = std::to_string(j + 1),
                                .tangents = tangents,
                                .e = random_restitution(random),
                                .mu = random.uniform() < 0.2 ? 0 : 1.5 * random.uniform(),
                                .k = std::exp(between(random, -2, 2))});
}

/// Bodies in the plane with masses and inertias, some pairs of which touch, each contact with a tangent.
inline ImpactProblem random_planar(Random& random, Index most_contacts) {
  const Index bodies = pick(random, 1, 4), m = pick(random, 1, most_contacts);
  Vector masses(3 * bodies);
  for (double& mass : masses) mass = std::exp(between(random, -1, 1));
  Matrix W = Matrix::Zero(3 * bodies, 2 * m);
  for (Index j = 0; j < m; ++j) {
    const double angle = between(random, 0, 2 * std::numbers::pi);
    const double c = std::cos(angle), s = std::sin(angle);
    const Index a = pick(random, 0, bodies - 1), b = pick(random, -1, bodies - 1);
    for (const auto& [body, sign] : {std::pair(a, 1.0), std::pair(b, -1.0)}) {
      if (body < 0 || (sign < 0 && body == a)) continue;
      const double x = random.normal(), y = random.normal();
      W.col(2 * j).segment(3 * body, 3) << sign * c, sign * s, sign * (x * s - y * c);
      W.col(2 * j + 1).segment(3 * body, 3) << -sign * s, sign * c, sign * (x * c + y * s);
    }
  }
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(masses);
  problem.W = W.sparseView();
  problem.u_minus = random_matrix(random, 3 * bodies, 1);
  add_rough_contacts(random, m, 1, problem);
  return problem;
}

/// Bodies in space that touch each other or the ground at random points.
inline ImpactProblem random_spatial(Random& random, Index most_contacts) {
  const Index bodies = pick(random, 1, 3), m = pick(random, 1, most_contacts);
  Vector masses(6 * bodies);
  for (double& mass : masses) mass = std::exp(between(random, -1, 1));
  Matrix W = Matrix::Zero(6 * bodies, 3 * m);
  for (Index j = 0; j < m; ++j) {
    const Eigen::Matrix3d axes = Eigen::Matrix3d(random_matrix(random, 3, 3)).householderQr().householderQ();
    const Index a = pick(random, 0, bodies - 1), b = pick(random, -1, bodies - 1);
    for (const auto& [body, sign] : {std::pair(a, 1.0), std::pair(b, -1.0)}) {
      if (body < 0 || (sign < 0 && body == a)) continue;
      const Eigen::Vector3d point = random_matrix(random, 3, 1);
      for (Index t = 0; t < 3; ++t)
        W.col(3 * j + t).segment(6 * body, 6) << sign * axes.col(t), sign * point.cross(axes.col(t));
    }
  }
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(masses);
  problem.W = W.sparseView();
  problem.u_minus = random_matrix(random, 6 * bodies, 1);
  add_rough_contacts(random, m, 2, problem);
  return problem;
}

/// A planar problem with a second tangent in which nothing can move.
inline ImpactProblem as_spatial(const ImpactProblem& planar) {
  ImpactProblem problem = planar;
  const Matrix W = planar.W;
  const Index m = static_cast<Index>(planar.contacts.size()), n = W.rows();
  Matrix wide = Matrix::Zero(n + m, 3 * m);
  for (Index j = 0; j < m; ++j) {
    wide.block(0, 3 * j, n, 2) = W.middleCols(2 * j, 2);
    wide(n + j, 3 * j + 2) = 1;
    problem.contacts[j].tangents = 2;
  }
  Vector masses = Vector::Ones(n + m);
  masses.head(n) = (planar.M * Vector::Ones(n));
  problem.M = MassMatrix::diagonal(masses);
  problem.W = wide.sparseView();
  problem.u_minus = Vector::Zero(n + m);
  problem.u_minus.head(n) = planar.u_minus;
  return problem;
}

/// A sphere of unit radius that meets the floor: J = 2/5.
inline ImpactProblem sphere_on_floor(const Vector& u, double e, double mu) {
  Matrix W = Matrix::Zero(6, 3);
  W.col(0) << 0, 0, 1, 0, 0, 0;
  W.col(1) << 1, 0, 0, 0, -1, 0;
  W.col(2) << 0, 1, 0, 1, 0, 0;
  ImpactProblem result;
  result.M = MassMatrix::diagonal(vector({1, 1, 1, 0.4, 0.4, 0.4}));
  result.W = W.sparseView();
  result.u_minus = u;
  result.contacts = {{.name = "floor", .tangents = 2, .e = e, .mu = mu}};
  return result;
}

}  // namespace carom::testing

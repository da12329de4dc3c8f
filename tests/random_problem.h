#pragma once

#include "support.h"

namespace carom::testing {

inline Index pick(Random& random, Index least, Index most) {
  return least + static_cast<Index>(random.uniform() * static_cast<double>(most - least + 1));
}

inline double between(Random& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

inline Matrix random_matrix(Random& random, Index rows, Index cols) {
  Matrix result(rows, cols);
  for (double& value : result.reshaped()) value = random.normal();
  return result;
}

inline double random_restitution(Random& random) {
  const double choice = random.uniform();
  return choice < 0.15 ? 0 : choice < 0.3 ? 1 : random.uniform();
}

enum class Kind { chain, dense, redundant, planar, most };

/// An impact of up to `most_contacts` contacts: a chain of unequal balls, a dense system, one with more contacts than
/// degrees of freedom, or planar bodies with block-diagonal masses. Some contacts open beforehand.
inline ImpactProblem random_problem(Random& random, Kind kind, Index most_contacts = 40) {
  const Index m = pick(random, 1, most_contacts);
  if (kind == Kind::chain) {
    Vector masses(m + 1), u(m + 1);
    for (double& mass : masses) mass = std::exp(between(random, -2, 2));
    for (double& velocity : u) velocity = random.normal();
    return chain(masses, u, 0);
  }
  if (kind == Kind::planar) {
    const Index bodies = std::max<Index>(1, m / 2 + 1);
    std::vector<Matrix> blocks;
    for (Index i = 0; i < bodies; ++i) {
      const Matrix A = random_matrix(random, 3, 3);
      blocks.push_back(A * A.transpose() + Matrix::Identity(3, 3));
    }
    Matrix W = Matrix::Zero(3 * bodies, m);
    for (Index j = 0; j < m; ++j)
      for (int side = 0; side < 2; ++side)
        W.col(j).segment(3 * pick(random, 0, bodies - 1), 3) += random_matrix(random, 3, 1);
    return problem(MassMatrix::block_diagonal(blocks), W, random_matrix(random, 3 * bodies, 1), Vector::Zero(m));
  }
  const Index n = kind == Kind::redundant ? std::max<Index>(1, m / 2) : m + pick(random, 1, 5);
  const Matrix A = random_matrix(random, n, n);
  Matrix W = random_matrix(random, n, m);
  if (kind == Kind::redundant)
    W.row(0) = W.row(0).cwiseAbs();  // keeps a direction that opens all contacts, so nothing is pinched
  return problem(MassMatrix::dense(A * A.transpose() + Matrix::Identity(n, n)), W, random_matrix(random, n, 1),
                 Vector::Zero(m));
}

inline void set_restitution(ImpactProblem& problem, Random& random, bool equal) {
  const double common = random_restitution(random);
  for (Contact& contact : problem.contacts) contact.e = equal ? common : random_restitution(random);
}

/// A value of the law that suits the problem: parameters it cannot do without are set.
template <class L>
L suited(L law, const ImpactProblem& problem) {
  const double e = problem.contacts[0].e;
  const Index m = static_cast<Index>(problem.contacts.size());
  if constexpr (requires { law.E_n; }) law.E_n = Matrix::Identity(m, m) * e;
  if constexpr (requires { law.e; }) law.e = e;
  return law;
}

/// Length in the kinetic metric.
inline double kinetic_norm(const MassMatrix& M, const Vector& u) {
  return std::sqrt(2 * M.kinetic_energy(u));
}

}  // namespace carom::testing

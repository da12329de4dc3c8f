#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"

/// The impacts that are timed. The same arguments give the same problem on every machine.
namespace carom::bench {

inline constexpr double kRestitution = 0.5;

/// Uniform numbers in [-1, 1) from a linear congruential generator (modulus 2^64, Knuth's multiplier).
class Noise {
 public:
  explicit Noise(std::uint64_t seed = 1) : state_(seed) {}
  double operator()() {
    state_ = 6364136223846793005u * state_ + 1442695040888963407u;
    return std::ldexp(static_cast<double>(state_ >> 11), -52) - 1;
  }

 private:
  std::uint64_t state_;
};

/// One column a contact: the entries of its normal, by ascending degree of freedom.
using Normal = std::vector<std::pair<Index, double>>;

inline SparseMatrix directions(Index dofs, const std::vector<Normal>& normals) {
  SparseMatrix W(dofs, static_cast<Index>(normals.size()));
  Index entries = 0;
  for (const Normal& normal : normals) entries += static_cast<Index>(normal.size());
  W.reserve(entries);
  for (Index j = 0; j < W.cols(); ++j) {
    W.startVec(j);
    for (const auto& [dof, value] : normals[j]) W.insertBack(dof, j) = value;
  }
  W.finalize();
  return W;
}

inline ImpactProblem impact(Vector masses, SparseMatrix W, Vector u_minus) {
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(std::move(masses));
  problem.contacts.resize(W.cols());
  for (Contact& contact : problem.contacts) contact.e = kRestitution;
  problem.W = std::move(W);
  problem.u_minus = std::move(u_minus);
  return problem;
}

enum class Strike { one_end, everywhere };

/// m + 1 equal balls in a row, m contacts: a ball hits one end of a row at rest, or all velocities are random.
/// G is tridiagonal (2 and -1), its condition grows with m^2.
inline ImpactProblem chain(Index m, Strike strike) {
  SparseMatrix W(m + 1, m);
  W.reserve(2 * m);
  for (Index i = 0; i < m; ++i) {
    W.startVec(i);
    W.insertBack(i, i) = -1;
    W.insertBack(i + 1, i) = 1;
  }
  W.finalize();
  Vector u = Vector::Unit(m + 1, 0);
  if (strike == Strike::everywhere) {
    Noise noise;
    for (double& velocity : u) velocity = noise();
  }
  return impact(Vector::Ones(m + 1), std::move(W), std::move(u));
}

/// m closing contacts whose normals are random in 5/4 m degrees of freedom: G = W'W is full, and some of the contacts
/// are thrown open by the others.
inline ImpactProblem dense_random(Index m) {
  const Index dofs = m + m / 4 + 1;
  const double scale = std::sqrt(3.0 / static_cast<double>(dofs));  // unit diagonal of G on average
  Noise noise;
  Vector u(dofs);
  for (double& velocity : u) velocity = noise();
  std::vector<Normal> normals(m);
  for (Normal& normal : normals) {
    double gamma = 0;
    for (Index dof = 0; dof < dofs; ++dof) {
      normal.emplace_back(dof, scale * noise());
      gamma += normal.back().second * u[dof];
    }
    if (gamma > 0)  // the contacts of an impact close
      for (auto& [dof, value] : normal) value = -value;
  }
  return impact(Vector::Ones(dofs), directions(dofs, normals), std::move(u));
}

/// The same G with a velocity that presses all contacts: every one carries an impulse afterwards.
inline ImpactProblem dense_pressed(Index m) {
  ImpactProblem problem = dense_random(m);
  Noise noise;
  Vector impulses(m);
  for (double& impulse : impulses) impulse = 1.5 + noise();
  problem.u_minus = -(problem.W * impulses);
  return problem;
}

/// m balls rest on one elastic body of 32 modes that couples them all: G = 1 + R'R is full though W is sparse.
/// Condition about 1 + (1 + sqrt(m / 32))^2; all velocities are random.
inline ImpactProblem common_body(Index m) {
  constexpr Index kModes = 32;
  const double scale = std::sqrt(3.0 / static_cast<double>(kModes));
  Noise noise;
  std::vector<Normal> normals(m);
  for (Index i = 0; i < m; ++i) {
    for (Index mode = 0; mode < kModes; ++mode) normals[i].emplace_back(mode, scale * noise());
    normals[i].emplace_back(kModes + i, 1.0);
  }
  Vector u(kModes + m);
  for (double& velocity : u) velocity = noise();
  return impact(Vector::Ones(kModes + m), directions(kModes + m, normals), std::move(u));
}

/// A rigid square plate falls askew onto side x side feet. dofs: v_z [m/s], omega_x, omega_y [rad/s].
/// G is full and of rank 3, so the impulses are not unique.
inline ImpactProblem table(Index side) {
  std::vector<Normal> normals;
  const double spacing = side > 1 ? 2.0 / static_cast<double>(side - 1) : 0;
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j) {
      const double x = -1 + spacing * static_cast<double>(i), y = -1 + spacing * static_cast<double>(j);
      normals.push_back({{0, 1.0}, {1, y}, {2, -x}});
    }
  return impact(Vector{{1.0, 1.0 / 3, 1.0 / 3}}, directions(3, normals), Vector{{-1.0, 0.5, 0.25}});
}

/// Discs on a triangular lattice, layers x columns, neighbours touch; odd layers are shifted by half a disc. The
/// normals are the lines between the centres, and under the lowest layer there may be a floor.
inline std::vector<Normal> lattice_normals(Index layers, Index columns, bool floor) {
  const double half = 0.5, height = std::sqrt(0.75);
  const auto disc = [&](Index layer, Index column) { return 2 * (layer * columns + column); };  // its first dof
  std::vector<Normal> normals;
  const auto press = [&](Index below, Index above, double x, double y) {  // unit vector from below to above
    normals.push_back({{below, -x}, {below + 1, -y}, {above, x}, {above + 1, y}});
  };
  for (Index layer = 0; layer < layers; ++layer)
    for (Index column = 0; column < columns; ++column) {
      if (layer == 0 && floor) normals.push_back({{disc(0, column) + 1, 1.0}});
      if (column + 1 < columns) press(disc(layer, column), disc(layer, column + 1), 1, 0);
      if (layer == 0) continue;
      const Index left = layer % 2 == 1 ? column : column - 1;  // odd layers are shifted by half a disc to the right
      if (left >= 0) press(disc(layer - 1, left), disc(layer, column), half, height);
      if (left + 1 < columns) press(disc(layer - 1, left + 1), disc(layer, column), -half, height);
    }
  return normals;
}

/// Equal discs in hexagonal packing, layers x columns, fall together onto a floor with small sideways velocities.
/// Two degrees of freedom and about three contacts a disc: G is sparse and singular.
inline ImpactProblem hexagonal_packing(Index layers, Index columns) {
  const Index dofs = 2 * layers * columns;
  Vector u(dofs);
  Noise noise;
  for (Index i = 0; i < dofs; i += 2) u.segment<2>(i) << 0.1 * noise(), -1;
  return impact(Vector::Ones(dofs), directions(dofs, lattice_normals(layers, columns, true)), std::move(u));
}

// ---- for laws that follow the impact in time: contacts are springs k s^eta
// --------------------------------------------

inline void set_springs(ImpactProblem& problem, double eta, double e) {
  for (Contact& contact : problem.contacts) {
    contact.eta = eta;
    contact.e = e;
  }
}

/// Balls of the given masses in a row; the first hits the others, which rest, at 1 m/s.
inline ImpactProblem ball_row(Vector masses, const Vector& stiffnesses, double eta, double e) {
  ImpactProblem problem = chain(masses.size() - 1, Strike::one_end);
  problem.M = MassMatrix::diagonal(std::move(masses));
  set_springs(problem, eta, e);
  for (Index j = 0; j < stiffnesses.size(); ++j) problem.contacts[j].k = stiffnesses[j];
  return problem;
}

/// Equal balls with equal contacts: eta = 1.5 after Hertz, 1 linear.
inline ImpactProblem equal_balls(Index balls, double eta, double e) {
  return ball_row(Vector::Ones(balls), Vector::Ones(balls - 1), eta, e);
}

/// The second to last ball half as heavy as the first, and the contacts among them half as stiff as the first.
inline ImpactProblem heavy_first(Index balls, double eta, double e) {
  Vector masses = Vector::Constant(balls, 0.5), stiffnesses = Vector::Constant(balls - 1, 0.5);
  masses[0] = stiffnesses[0] = 1;
  return ball_row(std::move(masses), stiffnesses, eta, e);
}

/// Hertz contacts of equal stiffness; the masses fall evenly from 1 to 1/2 along the row.
inline ImpactProblem graded_masses(Index balls, double e) {
  return ball_row(Vector::LinSpaced(balls, 1, 0.5), Vector::Ones(balls - 1), 1.5, e);
}

/// Balls of one material whose radii fall evenly from 1 to 1/2: masses r^3, Hertz stiffnesses sqrt(2 r r' / (r + r')).
inline ImpactProblem tapered_radii(Index balls, double e) {
  const Vector r = Vector::LinSpaced(balls, 1, 0.5);
  Vector stiffnesses(balls - 1);
  for (Index j = 0; j + 1 < balls; ++j) stiffnesses[j] = std::sqrt(2 * r[j] * r[j + 1] / (r[j] + r[j + 1]));
  return ball_row(r.array().cube(), stiffnesses, 1.5, e);
}

/// side x side equal discs in hexagonal packing at rest, Hertz contacts; the disc in the corner that has two neighbours
/// moves into the packing at 1 m/s, towards the middle between them.
inline ImpactProblem struck_packing(Index side, double e) {
  const Index dofs = 2 * side * side;
  Vector u = Vector::Zero(dofs);
  u.head<2>() << std::sqrt(0.75), 0.5;
  ImpactProblem problem =
      impact(Vector::Ones(dofs), directions(dofs, lattice_normals(side, side, false)), std::move(u));
  set_springs(problem, 1.5, e);
  return problem;
}

/// The part of the certificate that a right solver meets under every law. (Contacts that open beforehand may end
/// penetrating under Newton's law: that is the law's answer, not a defect of the solution.)
inline bool solves_its_equations(const Certificate& certificate) {
  const Certificate::Residuals& residual = certificate.relative;
  return std::max({residual.dynamics, residual.complementarity, residual.ledger}) <= certificate.tolerance;
}

}  // namespace carom::bench

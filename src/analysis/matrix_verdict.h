#pragma once

#include <optional>

#include "carom/impact/problem.h"

namespace carom::analysis {

/// A restitution matrix in kinetic coordinates q = q_norm, and how a law uses it:
///   equality    q+ = -E q-                                             (generalized kinematic law)
///   inequality  0 <= q+ + E q-  _|_  Lambda >= 0                       (Newton's law, Fremond's matrix)
struct Restitution {
  enum class Form { equality, inequality };
  Matrix E;  // (m x m)
  Form form = Form::equality;
};

/// The matrix that acts on gamma, in kinetic coordinates: E_ij = eps_ij sqrt(G_jj / G_ii).
Matrix in_kinetic_coordinates(const ContactProblem& problem, const Matrix& epsilon);

/// A velocity before the impact that proves that a matrix fails, and where.
struct Failure {
  Vector gamma_minus;  // (m)
  Index contact = 0;   // that penetrates or pulls
};

/// What a restitution matrix does, whatever the velocity before the impact, among those that close no contact or some
/// (approaching, gamma- <= 0) or among all.
struct MatrixVerdict {
  std::optional<Failure> penetrates;  // of an equality; none: gamma+ >= 0 for all approaching velocities
  std::optional<Failure> pulls;       // of an equality; none: Lambda >= 0 for all approaching velocities
  bool energetic = false;             // T+ <= T- always
  double energy_ratio = 0;            // the largest T+ / T- of the motion along the normals
  Vector gamma_minus;                 // (m) where it is reached
  Vector u_minus;                     // (n) the velocity of least energy that has them, T- = 1/2
};

enum class Velocities { approaching, all };

/// With A the cosines of the normals, y = -q- >= 0 and contacts that are independent:
///   gamma+ >= 0 for all y  iff  E >= 0,     Lambda >= 0 for all y  iff  A^-1 (1 + E) >= 0,      entry by entry,
///   T+ <= T- for all y     iff  A^-1 - E'A^-1 E is copositive,
/// which is less than E'A^-1 E <= A^-1, the condition on all velocities. Of an inequality the cone of y is cut by who
/// presses, and each piece has its quadratic form. Exact but for rounding: numerics/cone_minimum.h.
/// Nothing for redundant contacts, which tie their velocities to each other, and for too many: there is a face of the
/// cone for each set of contacts.                                  [Brogliato, Zhang, Liu 2012, (13), (47), corrected]
constexpr Index kMostForEquality = 12, kMostForInequality = 6;
std::optional<MatrixVerdict> matrix_verdict(const ContactProblem& problem, const Restitution& restitution,
                                            Velocities velocities = Velocities::approaching);

}  // namespace carom::analysis

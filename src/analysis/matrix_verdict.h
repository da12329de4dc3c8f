#pragma once

#include <optional>

#include "carom/impact/outcome.h"
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
  Index contact = 0;   // that penetrates, pulls, or gets a velocity that the others do not leave it
};

/// What a restitution matrix does, whatever the velocity before the impact, among those that close no contact or some
/// (approaching, gamma- <= 0) or among all. Of an equality also, among approaching velocities:
struct MatrixVerdict {
  std::optional<Failure> impossible;  // redundant contacts cannot have these gamma+ together; none: they always can
  std::optional<Failure> penetrates;  // none: gamma+ >= 0
  std::optional<Failure> pulls;       // none: Lambda >= 0 does it
  bool told = true;                   // false: there are too many redundant contacts to tell these three

  Claim energetic = Claim::unknown();  // T+ <= T- always, where there is a solution
  double energy_ratio = 0;             // the largest T+ / T- of the motion along the normals that was found
  double energy_bound = 0;             // and it is not above this; infinite: not known
  bool exact = true;                   // both are the same to rounding; false: the velocities were only searched
  long searched = 0;                   // then: descents that were made
  Vector gamma_minus;                  // (m) where the ratio is reached
  Vector u_minus;                      // (n) the velocity of least energy that has them, T- = 1/2
};

enum class Velocities { approaching, all };

/// With A the cosines of the normals, y = -q- >= 0 and contacts that are independent:
///   gamma+ >= 0 for all y  iff  E >= 0,     Lambda >= 0 for all y  iff  A^-1 (1 + E) >= 0,      entry by entry,
///   T+ <= T- for all y     iff  A^-1 - E'A^-1 E is copositive,
/// which is less than E'A^-1 E <= A^-1, the condition on all velocities. Of an inequality the cone of y is cut by who
/// presses, and each piece has its quadratic form. Redundant contacts tie their velocities to each other: then all this
/// holds in the range of A, with its pseudo-inverse, and on the edges of the cone of y there.
/// Exact but for rounding (numerics/cone_minimum.h) where the faces of the cone, one for each set of contacts, are not
/// too many. Where they are, a velocity that gains energy is looked for (numerics/cone_descent.h), and what excludes
/// one: A^-1 - E'A^-1 E is positive semidefinite but for a matrix of entries >= 0, or 1 - E >= 0 of an inequality.
/// Nothing where joints hold a contact fast.                       [Brogliato, Zhang, Liu 2012, (13), (47), corrected]
std::optional<MatrixVerdict> matrix_verdict(const ContactProblem& problem, const Restitution& restitution,
                                            Velocities velocities = Velocities::approaching);

}  // namespace carom::analysis

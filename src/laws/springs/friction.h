#pragma once

#include <vector>

#include "carom/base/contact_mode.h"
#include "carom/impact/problem.h"
#include "carom/numerics/disc_program.h"

namespace carom::springs {

/// Coulomb friction of springs whose normal forces are known: lambda_T = -mu lambda gamma_T / |gamma_T| where a contact
/// slips; where none does, the forces in the discs |lambda_T| <= mu_s lambda that bring the tangential accelerations
/// nearest to zero in the kinetic metric; those that these do not hold let go, and have discs of mu lambda. These
/// accelerations are unique, the forces unless contacts are redundant; then contacts share in proportion to what they
/// can hold.
class Friction {
 public:
  explicit Friction(const ContactProblem& problem);

  bool acts_at(Index i) const { return acts_[i]; }
  int tangents(Index i) const { return problem_.contacts()[i].tangents; }
  double mu(Index i) const { return problem_.contacts()[i].mu; }
  double mu_s(Index i) const { return problem_.contacts()[i].static_friction(); }

  /// Completes forces (rows) whose normal entries are given.
  void add_tangential(const double* gamma, double* force) const;

  /// Chooses between sticking and slipping for all contacts that are `candidates`, with the forces of a moment later.
  void decide(const std::vector<Index>& candidates, const Vector& gamma, Vector force);

  /// The slip of a contact along its heading.
  Eigen::RowVectorXd slip_ahead(Index i, const Matrix& gamma) const;  // (columns of gamma)

  /// A contact slips as it moves now; `prepare` after the last of them.
  void slide(Index i, const Vector& gamma);
  void prepare();

  /// Whether the contacts that stick can hold these forces: by how much of its friction the nearest is off, below 0 if
  /// they cannot.
  double reserve(const Vector& force) const;
  bool sticks_redundantly() const { return redundant_; }

  /// The impulses (rows) that stop what is left of the motion of sticking contacts.
  Vector stopping_impulse(const Vector& gamma) const;

  mutable double work = 0;        // done so far, in evaluations of the motion without friction, by and large
  std::vector<ContactMode> mode;  // (m)
  std::vector<double> heading;    // (m) sign of slip in the plane, angle of its direction in space

 private:
  double row_times(Index row, const double* values) const;
  double row_terms(Index row, const double* values) const;
  void start_slipping(const Vector& pushed, double* force) const;
  void factor_stuck();
  Vector holding(const Vector& pushed, const double* force) const;
  Vector within_discs(Vector hold, const Vector& pushed, const double* force) const;

  const ContactProblem& problem_;
  std::vector<char> acts_;
  std::vector<Index> slipping_, starting_, sticking_;  // contacts
  std::vector<Index> stuck_rows_, start_rows_;
  Matrix held_;             // pseudo-inverse of G of the stuck rows
  Matrix stuck_;            // of these rows if they are redundant: G,
  Matrix modes_, weights_;  // G = modes' modes, and modes' weights = identity on it
  Matrix coupling_;         // G of the stuck rows by the starting ones
  Matrix mobility_;         // G of the starting rows with the stuck ones held
  bool redundant_ = false;  // forces of sticking contacts are not unique
};

}  // namespace carom::springs

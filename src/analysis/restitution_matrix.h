#pragma once

#include "carom/impact/problem.h"

namespace carom::analysis {

/// When is q_norm+ = -E_n q_norm- dissipative for every velocity before the impact?  2 dT = q'(E'A^-1 E - A^-1) q <= 0
/// for all q  iff  the spectral norm of A^-1/2 E_n A^1/2 is at most 1. The eigenvalues of E_n alone decide nothing.
///                                                [Brogliato, Zhang, Liu 2012, (13) and Proposition 1, corrected]
struct Dissipativity {
  double norm = 0;  // spectral norm of A^-1/2 E_n A^1/2; infinite if the contacts are redundant
  bool dissipative = false;
  Vector worst;             // (m) q_norm- of unit kinetic energy that gains most (or loses least)
  double energy_ratio = 0;  // T+/T- in the normals at `worst`, the square of the norm
};
Dissipativity dissipativity(const ContactProblem& problem, const Matrix& E_n);

/// The inverse problem: the matrix closest to `guess` (Frobenius norm) with q_norm+ = -E_n q_norm- for a measured u+.
/// Empty if u- does not move the contacts (q_norm- = 0) and u+ does.
Matrix restitution_matrix(const ContactProblem& problem, const Vector& u_plus, const Matrix& guess);

/// A rigid model of a flexible body hides the energy that goes into its vibrations: with restitution e of the contact,
/// G_r = w_r'M_r^-1 w_r of the rigid motion and G_f of the flexible modes, the rigid model sees
///   e_r = (1 + e) G_r / (G_r + G_f) - 1,
/// less than e, and even negative.                                                       [Glocker 2001, (3.6)-(3.8)]
double rigid_restitution(double e, double G_rigid, double G_flexible);

}  // namespace carom::analysis

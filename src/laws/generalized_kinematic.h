#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// The generalized kinematic law, a restitution matrix in kinetic coordinates:
///   q_norm+ = -E_n q_norm-,   q_tan+ = -E_tan q_tan-,
///   q_norm,i = gamma_i / sqrt(G_ii),   q_tan = t'M u,   t an orthonormal basis of what is M-orthogonal to the normals.
/// t is made from the coordinate axes, in their order, by Gram-Schmidt in the kinetic metric; joints are respected.
/// Without E_tan (that is, E_tan = -1) there is no impulse but the contacts' normal ones. With it, the jump of q_tan is
/// carried by the contacts' tangents where they span it (least kinetic norm if they are redundant), and by a
/// generalized impulse where not. Nothing is guaranteed: E_n may penetrate, pull or create energy; the certificate
/// says. Dissipative for every u- iff the spectral norm of A^-1/2 E_n A^1/2 is at most 1, A = n'Mn (and the same of
/// E_tan, where A = 1). Redundant contacts: solved if E_n keeps their velocities compatible, else no solution.
///                                              [Brogliato, Zhang, Liu 2012, (7)-(14); energy condition corrected]
struct GeneralizedKinematic {
  static constexpr std::string_view name = "generalized-kinematic";
  static constexpr std::string_view summary =
      "a full restitution matrix between the kinetic normal velocities before and after";
  static constexpr std::string_view source = "Brogliato, Zhang & Liu 2012, (7)-(14)";
  static constexpr std::string_view limits =
      "may penetrate, pull or create energy for a bad matrix: read the certificate";
  static constexpr std::array<std::string_view, 0> reads = {};

  Matrix E_n;    // (m x m)
  Matrix E_tan;  // (n - rank x n - rank), or 1 x 1: that number times the identity; empty = -1, no tangential jump

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("E_n", self.E_n, "normal restitution matrix (m x m); required");
    visit("E_tan", self.E_tan, "tangential restitution matrix, or one number for all; left out: no tangential jump");
  }

  Impulses impulses(const ContactProblem& problem) const;
};

}  // namespace carom

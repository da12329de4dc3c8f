#pragma once

#include <array>
#include <optional>

#include "carom/impact/law.h"

namespace carom {

/// The generalized kinematic law, a restitution matrix in kinetic coordinates:
///   q_norm+ = -E_n q_norm-,   q_tan+ = -E_tan q_tan-,
///   q_norm,i = gamma_i / sqrt(G_ii),   q_tan = t'M u,   t an orthonormal basis of what is M-orthogonal to the normals.
/// t is made from the coordinate axes, in their order, by Gram-Schmidt in the kinetic metric; joints are respected.
/// Without E_tan (that is, E_tan = -1) there is no impulse but the contacts' normal ones. With it, the jump of q_tan is
/// carried by the contacts' tangents where they span it (least kinetic norm if they are redundant), and by a
/// generalized impulse where not.
/// Contacts with friction: the tangents have kinetic velocities, too, q_t,k = gamma_T,k / sqrt(G_kk), and blocks map
/// all
///   q_norm+ = -E_n q_norm- - E_nt q_t-,   q_t+ = -E_tn q_norm- - E_t q_t-
/// E_t = 0: every contact sticks after the impact. The impulses along redundant tangents are shared so that no cone is
/// left, where that is possible; else the certificate says where it is. mu bounds nothing.
/// r, for two contacts, stands for E_n: gamma_N+ = -r gamma_N- at each contact if r >= 0, gamma_N,1+ = r gamma_N,2- and
/// gamma_N,2+ = r gamma_N,1- if r < 0: the angular velocity of a block that turned about one of them becomes -r times
/// what it was, about the same contact (half-rocking) or about the other (rocking, Housner).
/// Nothing is guaranteed: a matrix may penetrate, pull or create energy; the certificate says. Without friction it is
/// dissipative for every u- iff the spectral norm of A^-1/2 E_n A^1/2 is at most 1, A = n'Mn (and the same of E_tan,
/// where A = 1). Redundant contacts: solved if the matrices keep their velocities compatible, else no solution.
///                                [Brogliato, Zhang, Liu 2012, (7)-(14), sections 3.7, 5; energy condition corrected]
struct GeneralizedKinematic {
  static constexpr std::string_view name = "generalized-kinematic";
  static constexpr std::string_view summary =
      "a full restitution matrix between the kinetic normal velocities before and after";
  static constexpr std::string_view source = "Brogliato, Zhang & Liu 2012, (7)-(14)";
  static constexpr std::string_view limits =
      "may penetrate, pull or create energy for a bad matrix: read the certificate";
  static constexpr std::array<std::string_view, 2> reads = {"mu", "mu_s"};

  Matrix E_n;        // (m x m)
  Matrix E_tan;      // (n - rank x n - rank), or 1 x 1: that number times the identity; empty = -1, no tangential jump
  Matrix E_t = {};   // (tangents x tangents), or 1 x 1 as E_tan; empty = for contacts without friction
  Matrix E_nt = {};  // (m x tangents); empty = 0
  Matrix E_tn = {};  // (tangents x m); empty = 0
  std::optional<double> r = {};  // in place of E_n

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("E_n", self.E_n, "normal restitution matrix (m x m); this or r is required");
    visit("E_tan", self.E_tan, "tangential restitution matrix, or one number for all; left out: no tangential jump");
    visit("E_t", self.E_t,
          "restitution matrix of the tangents of all contacts, or one number; for contacts with mu > 0");
    visit("E_nt", self.E_nt, "with E_t: what tangential velocities do to normal ones (m x tangents); left out: 0");
    visit("E_tn", self.E_tn, "with E_t: what normal velocities do to tangential ones (tangents x m); left out: 0");
    visit("r", self.r,
          "in place of E_n, for two contacts: the angular velocity of a rocking block becomes -r times it");
  }

  bool ignores(std::string_view) const { return E_t.size() == 0; }
  GeneralizedKinematic renumbered(const ContactOrder& order) const;

  Impulses impulses(const ContactProblem& problem) const;

 private:
  Matrix normal_blocks(const ContactProblem& problem, const Vector& length) const;  // E_n, or what r stands for
  Impulses impulses_with_tangents(const ContactProblem& problem) const;
};

}  // namespace carom

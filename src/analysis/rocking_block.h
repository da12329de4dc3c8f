#pragma once

#include <array>
#include <optional>

#include "carom/impact/problem.h"

namespace carom::analysis {

/// Velocity of the block: of its centre to the right and up [m/s], and angular [rad/s].
struct BlockVelocity {
  double x = 0, y = 0, theta = 0;
};

/// One impact of the block on both corners. p_t is the sum of both: at theta = 0 the corners share one tangent, so what
/// each of them bears is not determined.
struct BlockImpact {
  BlockVelocity before, after;
  double p_n1 = 0, p_n2 = 0, p_t = 0;  // [kg m/s] at B, at A, along the ground at both
  double energy_change = 0;            // T+ - T- [J]
  double slip_after = 0;               // v_t+ = x'+ + l/2 theta'+ of both corners [m/s]
};

/// Coefficients from `least` to `largest`; none if these are in the wrong order.
struct Interval {
  double least = 0, largest = 1;
  bool empty() const { return !(least <= largest); }
  bool contains(double value) const { return least <= value && value <= largest; }
};

/// What Coulomb friction at the level of impulses allows while the block hits with corner B, turning about A.
struct BlockFriction {
  double e_c1_right = 0, e_c1_left = 0;  // e21 from which A presses while slipping right or left; infinite: never
  double e_c2 = 0;                       // e21 (rocking) or e1 (half-rocking) up to which no slip ahead gains energy
  double mu_c = 0;                       // friction above which e_c2 < 0
  double mu_half_rocking = 0;            // friction above which A pulls in half-rocking with slip to the right
  double e21_stick = 0;                  // e21 from which p_t stays inside the cone while both corners stick
  Interval right;                        // e21: presses, gains no energy where the slip was to the right before, too
  Interval left;                         // e21: presses (its energy depends on the velocities)
  Interval sticking;                     // e21: presses, inside the cone
  Interval half_rocking;                 // e1, slip to the right before and after
  double slenderness_right = 0;          // l/L up to which e21 = 0 is allowed, slip to the right
  double slenderness_left = 0;           // the same to the left
};

/// The three conditions on a restitution matrix E = diag(E_n, E_tan) for one velocity before the impact.
struct BlockFeasibility {
  BlockImpact impact;
  bool kinematic = false;    // E_n q_norm- <= 0: no corner penetrates
  bool kinetic = false;      // G^-1 (gamma+ - gamma-) >= 0: no corner pulls
  bool energetic = false;    // T+ <= T-
  bool dissipative = false;  // T+ <= T- for every velocity: |A^-1/2 E_n A^1/2| <= 1 and |E_tan| <= 1
  bool feasible() const { return kinematic && kinetic && energetic; }
};

/// Rebound at B, sticking at A before: the conditions on (e1, e21, e_t3), each met where its value is >= 0.
struct BlockRebound {
  double energetic = 0;       // 4(l^2+L^2) - (l^2+4L^2)(e1^2+e21^2) - (4L^2-2l^2) e1 e21 - 3 l^2 e_t3^2  [m^2]
  double p_n1 = 0, p_n2 = 0;  // the half-spaces of the corners' impulses [m^2]
};

/// A homogeneous rectangular block that stands on its two corners, contact 1 = B at +L/2 and contact 2 = A at -L/2,
/// with q = (x, y, theta) at theta = 0. It turns about A (theta' < 0 before) and hits the ground with B:
///   rocking       theta'+ = e21 theta'-,   B stays, A leaves        (the angular law theta'+ = -r theta'-, r = -e21)
///   half-rocking  theta'+ = -e1 theta'-,   A stays, B rebounds      (r = e1)
/// with corners that slide without friction, stick, or slip with Coulomb friction at the level of impulses.
/// The formulas follow from balances of momentum and differ from the printed ones where these are wrong:
/// docs/rocking_block.md.                                                 [Brogliato, Zhang, Liu 2012, sections 2-6]
class RockingBlock {
 public:
  /// [kg], l [m], L [m]; throws InputError unless all are positive.
  RockingBlock(double mass, double height, double width);

  double mass() const { return m_; }
  double height() const { return l_; }
  double width() const { return L_; }
  double inertia() const { return m_ * (l_ * l_ + L_ * L_) / 12; }  // about the centre [kg m^2]

  /// Angles [rad] and ratios.
  double kinetic_cosine() const;  // of the normals n_1, n_2 in the kinetic metric
  double kinetic_angle() const;   // theta_12 between the surfaces, measured inside the admissible domain
  double sliding_ratio() const;   // r of conserved moment of momentum about B, sliding: cos(theta_12)
  double housner_ratio() const;   // r_H, the same with corners that stick
  double housner_angle() const;   // theta_H = acos(r_H)
  double critical_angle() const;  // theta_c: tilted so far the centre stands above the corner
  bool flat() const;              // l < sqrt(2) L: theta_12 < pi/2
  bool can_half_rock() const;     // l <= sqrt(2) L: A presses while B rebounds, without friction

  /// Coefficients without friction.
  Interval e21_sliding() const;
  Interval e21_sticking() const;
  Interval r_sliding() const;
  Interval r_sticking() const;
  Interval r_half_rocking() const;
  BlockFriction friction(double mu) const;

  /// Impacts. `theta` is the angular velocity before, < 0; slip is +1 (right) or -1 (left). None of them is checked
  /// against the conditions above: p_n < 0 is an answer about the coefficient.
  BlockImpact one_corner(double theta, double e1) const;         // only B acts; A may penetrate                  [3.1]
  BlockImpact sliding_rocking(double theta, double e21) const;   // [3.2, 3.3]
  BlockImpact sticking_rocking(double theta, double e21) const;  // [3.4, 3.6.2]
  BlockImpact half_rocking(double theta, double e1) const;       // [3.5]
  BlockImpact slipping_rocking(double theta, double e21, double mu, int slip, double x) const;      // [3.6.3]
  BlockImpact slipping_half_rocking(double theta, double e1, double mu, int slip, double x) const;  // [3.6.4]
  BlockImpact rebound(double theta, double e1, double e21, double e_t3) const;                      // [5]

  /// The impulses that lead from one velocity to another, whatever the law.                                   [(15)]
  BlockImpact between(const BlockVelocity& before, const BlockVelocity& after) const;

  BlockFeasibility feasibility(const Matrix& E_n, double E_tan, const BlockVelocity& before) const;  // [(47)]
  BlockRebound rebound_conditions(double e1, double e21, double e_t3) const;                         // [(51)-(54)]
  std::array<double, 3> rebound_axes() const;  // half axes of the ellipsoid (52) in (e1 + e21, e21 - e1, e_t3)

  /// The same block for any law: contacts "B", "A" with one tangent each.
  ImpactProblem problem(const BlockVelocity& before, double mu = 0) const;

 private:
  double kinetic_energy(const BlockVelocity& velocity) const;
  BlockVelocity about_A(double theta, double x) const { return {x, L_ / 2 * theta, theta}; }
  BlockVelocity about_B(double theta, double x) const { return {x, -L_ / 2 * theta, theta}; }
  BlockImpact with_slip(const BlockVelocity& before, BlockVelocity after, double mu, int slip) const;

  double m_, l_, L_;
};

}  // namespace carom::analysis

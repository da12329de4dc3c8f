#pragma once

#include <cmath>

namespace carom::forces {

/// Resistance to rolling (or to spin about the normal): a moment that an elastic spring of angle builds up and that is
/// cut at `mu_r` times the radius times the normal force,
///   S' = -k_r w,   M = S - c_r w,   |S|, |M| <= mu_r r F_n,
/// so that what rests is held without creep. k_r = 2.25 k_n (mu_r r)^2 [N m/rad], k_n the stiffness of the normal force
/// now: full resistance at about the rim of the contact; c_r is 0.3 of the critical damping, so that what rests does
/// not rock for ever. r [m] the rolling radius (of spin: the same); mu_r [-]. M = 0 at each touch.
///                                                                       [Iwashita, Oda 1998; Ai et al. 2011, model C]
struct RollingResistance {
  static constexpr double kStiffness = 2.25;
  static constexpr double kDamping = 0.3;  // of the critical one

  double mu_r = 0;
  double radius = 0;  // [m]
  double k_r = 0;     // [N m/rad]

  double most(double normal_force) const { return normal_force > 0 ? mu_r * radius * normal_force : 0; }
  double stiffness(double k_n) const { return kStiffness * k_n * mu_r * mu_r * radius * radius; }  // [N m/rad]
  /// Of what turns with this inertia [kg m^2], at the stiffness k_r: [N m s/rad]
  static double damping(double k_r, double inertia) { return 2 * kDamping * std::sqrt(k_r * inertia); }

  /// The moment after the angle turned by `angle` [rad] from a state with `moment` [N m], under this normal force.
  double after(double moment, double angle, double normal_force) const;

  /// The energy in the spring [J].
  double stored(double moment) const { return k_r > 0 ? 0.5 * moment * moment / k_r : 0; }
};

}  // namespace carom::forces

#pragma once

namespace carom::forces {

/// Resistance to rolling (or to spin about the normal): a moment that an elastic spring of angle builds up and that is
/// cut at `mu_r` times the radius times the normal force,
///   M' = -k_r w,   |M| <= mu_r r F_n,
/// so that what rests is held without creep. k_r [N m/rad]; r [m] the rolling radius (of spin: of the contact's area);
/// mu_r [-]. One component a direction; M = 0 at each touch.              [Iwashita, Oda 1998; Ai et al. 2011, model C]
struct RollingResistance {
  double mu_r = 0;
  double radius = 0;  // [m]
  double k_r = 0;     // [N m/rad]

  double most(double normal_force) const { return normal_force > 0 ? mu_r * radius * normal_force : 0; }

  /// The moment after the angle turned by `angle` [rad] from a state with `moment` [N m], under this normal force.
  double after(double moment, double angle, double normal_force) const;

  /// The energy in the spring [J].
  double stored(double moment) const { return k_r > 0 ? 0.5 * moment * moment / k_r : 0; }
};

}  // namespace carom::forces

#pragma once

#include "carom/forces/engine/kinematics.h"
#include "carom/forces/rolling.h"

namespace carom::forces {

/// How one contact resists turning about one or two of its axes: rolling, or spin about the normal.
/// - It holds: its moment is M = S - c w, cut at mu_r r F_n, with a spring S' = -k w that it gives way from where |S|
///   reaches what may be and goes on growing.
/// - It gives way: M = -mu_r r F_n along w, until w vanishes.
/// The spring of what halts has no more energy than turning has paid for, so that none comes from nowhere.
struct Turning {
  Index contact = 0;
  Index row = 0;  // of its first axis
  int axes = 1;
  RollingResistance resistance;
  double inertia = 0;  // [kg m^2] that its damping refers to

  bool gives = false;
  double heading = 1;    // the sign of w while it gives way about one axis
  double paid_from = 0;  // [J] of the work done on it: what came before does not count

  using Pair = Eigen::Vector2d;  // about the axes; 0 where there is none

  Pair about(const Vector& rows) const { return {rows[row], axes == 2 ? rows[row + 1] : 0}; }
  /// M [N m] with the spring S, at the angular velocity w, the normal force [N] and its stiffness k_n [N/m].
  Pair moment(const Pair& S, const Pair& w, double force, double k_n) const;
  /// The spring that is left when it halts, or would: no more than `paid` [J] made.
  double spring_left(double force, double k_n, double paid) const;
  /// In the spring [J].
  double stored(const Pair& S, double force, double k_n, double paid) const;
};

}  // namespace carom::forces

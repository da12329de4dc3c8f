#pragma once

#include "carom/geometry/curvature.h"

namespace carom::geometry {

/// Gradient and second derivatives of the function whose level set is a smooth surface, at a point of its frame.
struct LevelSet {
  Vector3 gradient;
  Matrix3 hessian;

  Curvature curvature() const;
};

/// A smooth surface at the parameters mu = (m1, m2), in the frame of the shape:
///   t_a = d rho / d mu_a,  g_ab = t_a . t_b,  b_ab = -dn_a . t_b,  dn_a = c_a^c t_c,  c = -b g^-1     [Glocker 2001,
///   (2.1)-(2.4)]
/// n points outwards, so b is negative semidefinite on a convex body and the mean curvature negative.
struct SurfacePoint {
  Vector3 rho, t1, t2, n;
  Eigen::Matrix2d g, b;  // first and second fundamental forms
  Eigen::Matrix2d c;     // Weingarten: row a has the components of dn_a along t1, t2
  double gauss = 0;      // [1/m^2] det b / det g
  double mean = 0;       // [1/m] tr(b g^-1) / 2

  SurfacePoint(const Vector3& rho, const Vector3& t1, const Vector3& t2, const LevelSet& level);
};

}  // namespace carom::geometry

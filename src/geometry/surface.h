#pragma once

#include <Eigen/Core>

#include "geometry/shape.h"

namespace carom::geometry {

/// Gradient and second derivatives of the function whose level set is a smooth surface, at a point of its frame.
struct LevelSet {
  Vector3 gradient;
  Matrix3 hessian;
};
LevelSet level_set(const Ellipsoid& shape, const Vector3& x);
LevelSet level_set(const Superellipsoid& shape, const Vector3& x);

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
};
/// rho = (a cos m2 cos m1, b cos m2 sin m1, c sin m2)
SurfacePoint surface_point(const Ellipsoid& shape, double m1, double m2);
/// rho = (a C2 c1, b C2 s1, c S2) with C2 = cos(m2)^(2/q), S2 = sin(m2)^(2/q), c1 = cos(m1)^(2/p), s1 = sin(m1)^(2/p),
/// powers keeping the sign. Throws InputError where a sine or cosine vanishes and the exponent is not 2: there the
/// parameters are singular, not the surface.
SurfacePoint surface_point(const Superellipsoid& shape, double m1, double m2);

/// The shape operator of a surface of any kind in an orthonormal pair of tangents: dn = S dx. At edges and corners,
/// with infinite curvature, it does not exist; InputError says so.
Eigen::Matrix2d shape_operator(const Shape& shape, const Pose& pose, const Vector3& point, const Vector3& normal,
                               const Vector3& tangent1, const Vector3& tangent2);

}  // namespace carom::geometry

#pragma once

#include "carom/geometry/shape.h"

namespace carom::geometry {

/// An elastic material.
struct Elasticity {
  double E = 0;   // [Pa] Young's modulus, > 0; infinite: rigid
  double nu = 0;  // [-] Poisson's ratio, in (-1, 1/2]
};

/// 1 / E* = (1 - nu_a^2) / E_a + (1 - nu_b^2) / E_b  [Pa]
double effective_modulus(const Elasticity& a, const Elasticity& b);

/// The relative curvature of two surfaces at their contact: the gap between them grows like 1/2 (A x^2 + B y^2) with
/// the principal values A >= B >= 0 [1/m].
struct RelativeCurvature {
  double A = 0, B = 0;
};
/// From the surfaces of two shapes at a common point with normal from a to b; radii of edges and corners are zero,
/// their curvature infinite. In the plane and on the line, too, the shapes are solids: a disc is a ball, a polygon a
/// prism.
RelativeCurvature relative_curvature(const Shape& a, const Pose& pose_a, const Vector3& point_a, const Shape& b,
                                     const Pose& pose_b, const Vector3& point_b, const Vector3& normal,
                                     Dimension dimension);

/// Whether the contact of two shapes is a point of smooth surfaces, of which one may be flat.
bool has_hertz_contact(const Shape& a, const Shape& b);

/// Hertz: force = k indentation^(3/2), k [N/m^(3/2)], for any elliptic contact. For spheres
/// k = 4/3 E* sqrt(R), 1/R = 1/R_a + 1/R_b. Throws InputError where the contact is no point (B = 0).
double hertz_stiffness(const RelativeCurvature& curvature, double effective_modulus);

/// The elastic impact m x'' = -k x^n of a mass m (the reduced mass of two bodies) with speed v:
///   depth = ((n + 1) m v^2 / (2 k))^(1/(n+1)),  force = k depth^n,  duration = constant depth / v,
///   constant = 2 sqrt(pi) Gamma(1 + 1/(n+1)) / Gamma(1/2 + 1/(n+1)) = 2.9432751843 for n = 3/2.
struct HertzImpact {
  double depth = 0;     // [m] the largest
  double force = 0;     // [N] the largest
  double duration = 0;  // [s]
  double constant = 0;  // [-]
};
HertzImpact hertz_impact(double k, double n, double m, double v);

}  // namespace carom::geometry

#pragma once

#include <vector>

#include "carom/waves/rods.h"

namespace carom::waves {

/// A free elastic beam that hits a stop at x with its bending modes at rest. Newton's law with e_h holds at the point
/// that is hit; seen as a rigid body the beam has
///   e_r = (1 + e_h) G_r/(G_r + G_f) - 1,
///   G_r = 1/m + (x - l/2)^2/J,  J = m l^2/12,   G_f = sum over modes phi_k(x)^2/m,
/// phi_k the modes of the free beam with the integral of phi_k^2 over l equal to l: phi_k = 2 at the ends.
/// e_r lies between -1 and e_h; it is negative where the rigid body still moves towards the stop while the beam bends.
/// At a node of all modes e_r = e_h. With more and more modes G_f grows without bound and e_r goes to -1: one has to
/// choose the modes that the impact excites.                                                 [Glocker 2001,
/// (3.6)-(3.8)]
struct Beam {
  double length = 1;  // [m]
  double mass = 1;    // [kg]
  double e = 1;       // e_h in [0, 1]
  int modes = 1;      // bending modes, from the lowest
};

constexpr int kMostModes = 1000;

/// Throws InputError.
void validate(const Beam& beam);

struct BeamImpact {
  double x = 0;           // [m] from the left end
  double G_rigid = 0;     // [1/kg]
  double G_flexible = 0;  // [1/kg]
  double e_rigid = 0;     // of the rigid body
};

/// Throws InputError if x is not on the beam.
BeamImpact hit(const Beam& beam, double x);

/// beta_k l: the root of cosh(z) cos(z) = 1, k from 1.
double mode_number(int k);

/// phi_k at the part s in [0, 1] of the length.
double mode_shape(int k, double s);

}  // namespace carom::waves

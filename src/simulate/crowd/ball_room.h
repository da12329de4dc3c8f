#pragma once

#include <cstddef>
#include <vector>

namespace carom::simulate {

/// Three components and a fourth number, on which the processor works at once.
typedef double Four __attribute__((vector_size(4 * sizeof(double))));

/// A contact whose arms lie along its normal, arm_a n and arm_b n, as those of balls do, of bodies that turn as easily
/// about all axes. Normal and tangential motion do not touch each other then, and no tangent is preferred:
///   w = v_b - v_a + (arm_b omega_b - arm_a omega_a) x n + offset.
struct alignas(4 * sizeof(double)) BallContact {
  Four n, offset;               // in the world
  Four x;                       // [N s] the tangential impulse, and fourth the normal one
  double inverse_N, inverse_T;  // [kg] reciprocals of G; inverse_T = 0: no friction
  double mu, scale;             // as SweptContact has them
  double weight;                // [1/kg] times the square of an impulse: that in units of unit diagonal
  double met_N, met_T;          // [1/kg] the same of the velocity that asks for it
  double arm_a, arm_b;          // [m]
  double moves_a, moves_b;      // [1/kg] inverse masses
  double turns_a, turns_b;      // [1/(kg m)] arms over inertias
  int a, b;                     // places of the bodies; -1: not free
};

struct alignas(4 * sizeof(double)) BallMotion {
  Four velocity, angular;  // fourth: 0
};

struct alignas(4 * sizeof(double)) BallImpulse {
  Four x;
};

/// Room that is kept from sweeps to sweeps.
struct BallRoom {
  std::vector<BallContact> contacts;
  std::vector<std::size_t> from;     // (contacts) place among all
  std::vector<std::size_t> colours;  // as SweptContacts has them
  std::vector<BallMotion> bodies, start_of_bodies, direction_of_bodies;
  std::vector<BallImpulse> change, direction;  // (contacts) by the last sweep; conjugate to those before
  std::vector<double> squared;                 // (contacts) of the change, in units of unit diagonal
};

}  // namespace carom::simulate

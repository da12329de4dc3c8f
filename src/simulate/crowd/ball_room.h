#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace carom::simulate {

/// Three components and a fourth number, on which the processor works at once.
typedef double Four __attribute__((vector_size(4 * sizeof(double))));

/// A contact whose arms lie along its normal, arm_a n and arm_b n, as those of balls do, of bodies that turn as easily
/// about all axes. Normal and tangential motion do not touch each other then, and no tangent is preferred:
///   w = v_b - v_a + (arm_b omega_b - arm_a omega_a) x n + offset.
/// All that a sweep needs of it lies together, and is read once.
struct alignas(4 * sizeof(double)) BallContact {
  Four n, offset;               // in the world; fourth of the offset: mu
  Four x;                       // [N s] the tangential impulse, and fourth the normal one
  Four change, direction;       // the same, by the last sweep; conjugate to those before
  double inverse_N, inverse_T;  // [kg] reciprocals of G; inverse_T = 0: no friction
  double weight;                // [1/kg] times the square of an impulse: that in units of unit diagonal
  double met_N, met_T;          // [1/kg] the same of the velocity that asks for it
  double arm_a, arm_b;          // [m]
  int a, b;                     // places of the bodies; -1: not free
};

struct alignas(8 * sizeof(double)) BallMotion {
  Four velocity, angular;  // fourth: the inverse mass [1/kg], the inverse inertia [1/(kg m^2)]
};

/// Contacts that are swept together, and the bodies that they move.
struct BallSet {
  std::vector<BallContact> contacts;
  std::vector<std::size_t> from;     // (contacts) place where they come from
  std::vector<std::size_t> colours;  // as SweptContacts has them
  std::vector<BallMotion> bodies, start_of_bodies, direction_of_bodies;
  std::vector<double> squared;  // (contacts) of the change by the last sweep, in units of unit diagonal

  double before = 0;            // square of the change by the sweep before the last
  std::optional<double> share;  // of the directions before that the next sweep goes on along; none: it forgets them
};

/// Room that is kept from sweeps to sweeps.
struct BallRoom {
  BallSet whole, part;
  std::vector<int> place_in_part;  // (bodies)
  std::vector<int> bodies_of_part;
};

}  // namespace carom::simulate

#pragma once

#include <cstddef>
#include <vector>

#include "carom/geometry/pose.h"
#include "carom/simulate/crowd/ball_room.h"

namespace carom::simulate {

/// A free body as sweeps see it, in the world; on the line and in the plane what it has not is zero.
struct SweptBody {
  Vector3 velocity = Vector3::Zero(), angular = Vector3::Zero();  // [m/s], [rad/s]
  double inverse_mass = 0;                                        // [1/kg]
  double inverse_inertia = 0;                                     // [1/(kg m^2)] where it is the same about all axes
};

/// A contact between two bodies: w = axes'(velocity of b - velocity of a at the contact) + offset, and Coulomb's law
/// between w and the impulses x along the axes,
///   0 <= w_N _|_ x_N >= 0,   |x_T| <= mu x_N,   x_T = -mu x_N w_T / |w_T| where it slips.
struct SweptContact {
  int a = -1, b = -1;                                        // places of the bodies; -1: not free
  bool acts = true;                                          // else it is passed over
  Matrix3 axes = Matrix3::Zero();                            // normal from a to b, tangents; 0 where it has none
  Vector3 arm_a = Vector3::Zero(), arm_b = Vector3::Zero();  // [m] from the bodies' centres of mass
  Vector3 offset = Vector3::Zero();                          // [m/s] of walls, gap rates, rebound
  Vector3 x = Vector3::Zero();                               // [N s]
  double mu = 0;                                             // [-]
  double scale = 0;                                          // [kg^1/2] of velocities, in units of unit diagonal
  Vector3 G = Vector3::Zero();                               // [1/kg] G_NN, and its tangential entries below
  double stick_11 = 0, stick_12 = 0, stick_22 = 0;           // [kg] inverse of the tangential block
  double slide = 0;                                          // [kg] reciprocal of its largest eigenvalue
};

/// Contacts in the order of sweeps: those of one colour share no free body and may be taken in any order, or at the
/// same time; those after the last colour are taken one by one.
struct SweptContacts {
  std::vector<SweptContact> contacts;
  std::vector<std::size_t> colours;  // first contact of each colour, and the end of the last one

  std::vector<Vector3> start = {}, direction = {};  // room of sweeps
  BallRoom balls = {};                              // the same, of balls
};

/// How a body moves.
struct SweptMotion {
  Vector3 velocity = Vector3::Zero(), angular = Vector3::Zero();
};

/// The bodies, and inverse inertias [1/(kg m^2)] in the world of those that are not round; empty: all are.
struct SweptBodies {
  std::vector<SweptBody> bodies;
  std::vector<Matrix3> inverse_inertia;

  std::vector<SweptMotion> start = {}, direction = {};  // room of sweeps
};

/// w without the offset.
inline Vector3 contact_velocity(const SweptContact& contact, const SweptBodies& bodies) {
  Vector3 velocity = Vector3::Zero();
  if (contact.b >= 0) {
    const SweptBody& b = bodies.bodies[contact.b];
    velocity += b.velocity + b.angular.cross(contact.arm_b);
  }
  if (contact.a >= 0) {
    const SweptBody& a = bodies.bodies[contact.a];
    velocity -= a.velocity + a.angular.cross(contact.arm_a);
  }
  return contact.axes.transpose() * velocity;
}

}  // namespace carom::simulate

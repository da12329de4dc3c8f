#include <carom/carom.h>

#include <iostream>

// A sphere in space that hits the floor while it slides along x and spins about y: one contact with two tangents.
// W has a column for each direction, the normal first and then its tangents; with more contacts the next normal
// follows.
int main() {
  const double radius = 0.1, mass = 1, inertia = 0.4 * mass * radius * radius;
  carom::ImpactProblem sphere;
  sphere.M = carom::MassMatrix::diagonal(carom::Vector{{mass, mass, mass, inertia, inertia, inertia}});
  sphere.u_minus = carom::Vector{{2, 0, -3, 0, 5, 0}};  // velocity of the centre, angular velocity
  carom::Matrix W = carom::Matrix::Zero(6, 3);
  W.col(0) << 0, 0, 1, 0, 0, 0;        // normal: the floor pushes up
  W.col(1) << 1, 0, 0, 0, -radius, 0;  // tangent x: velocity of the point that touches, v_x - r omega_y
  W.col(2) << 0, 1, 0, radius, 0, 0;   // tangent y
  sphere.W = W.sparseView();
  sphere.contacts = {{.name = "floor", .tangents = 2, .e = 0.8, .mu = 0.2}};
  const carom::ImpactOutcome outcome = carom::solve(sphere, carom::Newton{});
  std::cout << "u+ = " << outcome.u_plus.transpose() << "\nimpulses = " << outcome.Lambda.transpose() << '\n';
}

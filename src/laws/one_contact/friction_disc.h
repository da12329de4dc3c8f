#pragma once

#include <Eigen/Core>

namespace carom::one_contact {

/// Coulomb friction at a contact whose normal impulse is known: the tangential impulse of at most R that takes most
/// energy,
///   P = argmin 1/2 P'TP + q'P  over |P| <= R,
/// T = B_tt positive semidefinite, q the slip without friction. Then v = q + T P is the slip with it, either v = 0
/// (sticks) or P = -R v / |v|. Unique but for directions in which T and q vanish, where P = 0.
/// With q = B_tn and R = mu it is dP_t/dP_n of a contact that does not slip: it goes on sticking, or starts to slip in
/// the one direction -P along which slip can grow.
struct FrictionDisc {
  Eigen::Vector2d P;
  bool sticks = false;
};
FrictionDisc friction_on_disc(const Eigen::Matrix2d& T, const Eigen::Vector2d& q, double R);

/// T^-1 q in the directions that T moves, 0 in others.
Eigen::Vector2d pseudo_solve(const Eigen::Matrix2d& T, const Eigen::Vector2d& q);

}  // namespace carom::one_contact

#pragma once

#include <vector>

#include "carom/numerics/linear_algebra.h"
#include "carom/waves/outcome.h"
#include "carom/waves/rods.h"

namespace carom::waves {

/// One rod of n linear elements: nodes with mass in their middles, springs EA/d between them, and ends without mass on
/// springs 2 EA/d, d = l/n. A step of the midpoint rule solves, for v_m = (v + v+)/2,
///   (M + h^2/4 K) v_m = M v + h/2 (S - K u),   M = rho A d (1 - L/6),  L the Laplacian of the nodes,
/// with S the forces on the ends. Steps have three stages: without contact forces, these, and the end.
class RodElements {
 public:
  RodElements(const Rod& rod, int n, double h);

  bool is_in_range() const;  // what it computes with are numbers, and not zero

  void move_freely();                // with the given forces alone
  void push(End end, double force);  // [N], to the right
  void finish_step();

  /// [m] of an end, now or after the step that is being made, its contact force taken as zero.
  enum class Moment { now, end_of_step };
  double end_displacement(End end, Moment moment) const;

  double compliance(End end) const;  // [m/N] of an end after a step
  double cross_compliance() const;   // [m/N] of one end for a force on the other
  double end_compliance() const { return 0.5 * d_ / (rod_.E * rod_.area); }  // [m/N] of the massless end alone

  RodState state() const;             // without the energy of contact forces in the massless ends
  std::vector<Piece> fields() const;  // one an element
  double work() const;                // [J] of the given forces, on the nodes

 private:
  Vector mass_times(const Vector& v) const;                                    // (n)
  Vector stiffness_times(const Vector& u) const;                               // (n)
  Vector solve(Vector right) const;                                            // (M + h^2/4 K)^-1
  double held(End end) const { return rod_.is_fixed(end) ? 2 * spring_ : 0; }  // [N/m] to the ground

  Rod rod_;
  Index n_;
  double h_, d_, spring_;          // [s], [m], [N/m]
  double beside_ = 0;              // minus the entries beside the diagonal of M + h^2/4 K
  Vector pivot_, factor_;          // (n) of its factors
  Vector from_left_, from_right_;  // (n) v_m by a unit force on an end
  Vector u_, v_, v_middle_;        // (n)
};

}  // namespace carom::waves

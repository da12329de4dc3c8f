#pragma once

#include <vector>

#include "carom/laws/springs/friction.h"
#include "carom/laws/springs/system.h"

namespace carom::springs {

/// Springs with Coulomb friction that move, in the phases and with the modes that they have. The state is
/// y = (s, Lambda, work of friction) (m, rows, m), and where expansions end by impulse the work of the normals (m);
/// velocities are gamma_free + G Lambda.
class FrictionalMotion {
 public:
  explicit FrictionalMotion(const System& system);

  const System& system() const { return system_; }
  Index contacts() const { return system_.size(); }
  Index rows() const { return system_.problem.gamma_minus.size(); }
  Index row(Index i) const { return system_.problem.row[i]; }
  bool is_spatial(Index i) const { return friction.tangents(i) == 2; }
  double slip_speed(Index i, const Vector& gamma) const {
    return gamma.segment(row(i) + 1, friction.tangents(i)).norm();
  }
  Index size() const { return (by_impulse() ? 3 : 2) * contacts() + rows(); }  // of y
  bool by_impulse() const { return system_.ends == Ends::impulse; }
  double rate(Index i, double gamma) const;  // s' at this velocity

  /// How long a contact in expansion stays closed, if its acceleration does not change.
  double time_to_release(Index i, double s, double gamma, double acceleration) const;

  /// Where expansions end by impulse, a contact has turned: what impulse is to come in its expansion, or was still to
  /// come where it is compressed again. False if none is.
  bool count_impulse(Index i, double s, double Lambda);

  Matrix accelerations(const Matrix& forces) const;  // (rows x any) G times them
  Vector velocities(const double* y) const;
  Vector forces(const double* y, const Vector& gamma) const;
  void operator()(double t, const double* y, double* dy) const;

  /// What makes errors of y comparable, for steps with this relative error.
  Vector weights(double error) const;
  double work() const;  // done so far, in steps of a small impact

  std::vector<SpringState> state;  // (m)
  Friction friction;
  mutable long evaluations = 0;

 private:
  const System& system_;
  Matrix G_;  // dense, if there are few rows
};

}  // namespace carom::springs

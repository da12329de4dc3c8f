#pragma once

#include <vector>

#include "carom/model/model.h"
#include "carom/numerics/runge_kutta.h"

namespace carom::simulate {

/// The vector that is integrated: q, u, work of loads and walls, loss in dampers, loss by slip.
struct Layout {
  Index q = 0, u = 0;

  Index size() const { return q + u + 3; }
  Index work() const { return q + u; }
  Index damped() const { return q + u + 1; }
  Index friction_work() const { return q + u + 2; }
};

/// A finished and interpolated step of the motion between impacts: where the bodies are inside it.
class TrajectoryStep {
 public:
  using Stepper = numerics::RungeKutta<numerics::DormandPrince8>;

  using Curves = std::vector<Stepper::Nested>;  // (layout)

  TrajectoryStep(const Model& model, const Curves& curves, Layout layout, double t, double h)
      : model_(model), curves_(curves), layout_(layout), t_(t), h_(h) {}

  double start() const { return t_; }
  double length() const { return h_; }

  /// Writes time, position and velocity of one body; the rest of the state is left alone.
  void place(int body, double theta, State& state) const {
    state.t = t_ + theta * h_;
    const Index q = model_.first_position(body), u = model_.first_velocity(body);
    if (q < 0) return;
    const Index positions = model_.dimension() == Dimension::line ? 1 : model_.dimension() == Dimension::plane ? 3 : 7;
    const Index velocities = positions == 7 ? 6 : positions;
    for (Index i = 0; i < positions; ++i) state.q[q + i] = value(q + i, theta);
    for (Index i = 0; i < velocities; ++i) state.u[u + i] = value(layout_.q + u + i, theta);
  }

  State at(double theta) const {
    State state{t_ + theta * h_, Vector(layout_.q), Vector(layout_.u)};
    for (Index i = 0; i < layout_.q; ++i) state.q[i] = value(i, theta);
    for (Index i = 0; i < layout_.u; ++i) state.u[i] = value(layout_.q + i, theta);
    model_.normalize(state.q);
    return state;
  }
  double work(double theta) const { return value(layout_.work(), theta); }
  double damped(double theta) const { return value(layout_.damped(), theta); }
  double friction_work(double theta) const { return value(layout_.friction_work(), theta); }

 private:
  double value(Index i, double theta) const { return Stepper::value(curves_[i], theta); }

  const Model& model_;
  const Curves& curves_;
  Layout layout_;
  double t_, h_;
};

}  // namespace carom::simulate

#pragma once

#include <vector>

#include "carom/forces/engine/kinematics.h"
#include "carom/model/contact_pair.h"

namespace carom::simulate {

/// Contact pairs of bodies that move, for the engine of contact forces. The state is x = (q, u, work of loads and walls
/// [J], loss in dampers [J], normal impulses of the contacts [N s]). Tangents turn with the normals, from where they
/// were at the beginning.
class MovingContacts final : public forces::Kinematics {
 public:
  /// `along` (pairs): 1 where there is friction. `tangents` (pairs) at the
  /// beginning, which is t = 0 here and `start` [s] for the bodies; `depth` [m]: of contacts, where there are none.
  MovingContacts(const Model& model, std::vector<ContactPair> pairs, const std::vector<char>& along,
                 std::vector<Eigen::Matrix3Xd> tangents, double start, double depth);

  Index size() const override { return positions() + velocities() + 2 + contacts(); }
  Index contacts() const override { return static_cast<Index>(pairs_.size()); }
  Index rows() const override { return rows_; }
  Index row(Index contact) const override { return row_[contact]; }
  int tangents(Index contact) const override { return static_cast<int>(tangents_[contact].cols()); }

  void observe(double t, const double* x, double* d, double* gamma) const override;
  void move(double t, const double* x, const double* force, double* dx) const override;
  void accelerate(double t, const double* x, const double* force, double* acceleration) const override;
  Matrix mobility(double t, const double* x, const std::vector<Index>& chosen) const override;
  void push(double t, const double* impulse, double* x) const override;
  Vector scales(double speed, const Vector& depth) const override;

  State state(double t, const double* x) const;
  Vector packed(const State& state, double work, double damped) const;
  double work(const double* x) const { return x[positions() + velocities()]; }
  double impulse(Index contact, const double* x) const { return x[positions() + velocities() + 2 + contact]; }
  double damped(const double* x) const { return x[positions() + velocities() + 1]; }

  /// The pairs and their tangents at a state.
  const std::vector<ContactPair>& pairs(double t, const double* x) const;
  Eigen::Matrix3Xd tangents_now(Index contact) const { return place_.directions[contact].rightCols(tangents(contact)); }

 private:
  struct Place {
    double t = 0;
    std::vector<double> x;  // where it was found
    State state;
    std::vector<ContactPair> pairs;
    std::vector<Eigen::Matrix3Xd> directions;  // (pairs) normal, then tangents
  };
  Index positions() const { return model_.positions(); }
  Index velocities() const { return model_.velocities(); }
  const Place& place(double t, const double* x) const;
  Vector applied(const Place& here, const double* force) const;  // (velocities)
  /// u' under a generalized force alone, with joints that hold.
  Vector free_acceleration(const Place& here, const Vector& force) const;

  const Model& model_;
  std::vector<ContactPair> pairs_;          // at the beginning
  std::vector<Eigen::Matrix3Xd> tangents_;  // (pairs) at the beginning
  std::vector<Index> row_;
  Index rows_ = 0;
  double start_, depth_;
  mutable Place place_;
};

}  // namespace carom::simulate

#pragma once

#include <vector>

#include "carom/forces/engine/kinematics.h"
#include "carom/model/contact_pair.h"

namespace carom::simulate {

/// A contact pair at the beginning, and what of its motion counts.
struct MovingContact {
  ContactPair pair;
  Eigen::Matrix3Xd tangents;  // which turn with the normal from there on
  bool rubs = false;          // its slip counts
  bool turns = false;         // the bodies' turning against each other does
};

/// Contact pairs of bodies that move, for the engine of contact forces. The state is x = (q, u, work of loads and walls
/// [J], loss in dampers [J], normal impulses of the contacts [N s]). The axes of turning are z in the plane, in space
/// the tangents and the normal.
class MovingContacts final : public forces::Kinematics {
 public:
  /// The beginning is t = 0 here and `start` [s] for the bodies; `depth` [m]: of contacts, where there are none.
  MovingContacts(const Model& model, std::vector<MovingContact> contacts, double start, double depth);

  Index size() const override { return positions() + velocities() + 2 + contacts(); }
  Index contacts() const override { return static_cast<Index>(contacts_.size()); }
  Index rows() const override { return rows_; }
  Index row(Index contact) const override { return row_[contact]; }
  int tangents(Index contact) const override {
    return contacts_[contact].rubs ? static_cast<int>(contacts_[contact].tangents.cols()) : 0;
  }
  int axes(Index contact) const override;

  void observe(double t, const double* x, double* d, double* gamma) const override;
  void observe_one(Index contact, double t, const double* x, double* d, double* gamma) const override;
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
  Eigen::Matrix3Xd tangents_now(Index contact) const {
    return place_.frames[contact].middleCols(1, contacts_[contact].tangents.cols());
  }
  Matrix3 axes_now(Index contact) const { return axes_of(place_.frames[contact]); }

 private:
  struct Place {
    double t = 0;
    std::vector<double> x;  // where it was found
    State state;
    std::vector<ContactPair> pairs;
    std::vector<Matrix3> frames;  // (pairs) normal, then tangents; zeros where there are none
  };
  Index positions() const { return model_.positions(); }
  Index velocities() const { return model_.velocities(); }
  const Place& place(double t, const double* x) const;
  void observe_pair(Index contact, const State& state, const ContactPair& pair, const Matrix3& frame, double* d,
                    double* gamma) const;
  Matrix3 frame_of(Index contact, const Vector3& normal) const;
  Matrix3 axes_of(const Matrix3& frame) const;
  Vector3 force_of(const Place& here, std::size_t contact, const double* force) const;
  Vector3 moment_of(std::size_t contact, const double* force) const;
  Vector applied(const Place& here, const double* force) const;  // (velocities)
  /// u' under a generalized force alone, with joints that hold.
  Vector free_acceleration(const Place& here, const Vector& force) const;

  const Model& model_;
  std::vector<MovingContact> contacts_;
  std::vector<Index> row_;
  Index rows_ = 0;
  double start_, depth_;
  mutable Place place_;
  mutable std::vector<ContactPair> found_;
};

}  // namespace carom::simulate

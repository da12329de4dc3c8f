#pragma once

#include <cmath>
#include <functional>
#include <queue>

#include "carom/forces/engine/kinematics.h"

namespace carom::forces {

/// Some contacts of a frozen configuration, normals alone: x = (d, Lambda), gamma = gamma_0 + G Lambda.
class Window final : public Kinematics {
 public:
  Window(const Matrix& G, Vector gamma);

  Index size() const override { return 2 * contacts(); }
  Index contacts() const override { return gamma_.size(); }
  Index rows() const override { return gamma_.size(); }
  Index row(Index contact) const override { return contact; }
  int tangents(Index) const override { return 0; }

  void observe(double t, const double* x, double* d, double* gamma) const override;
  void observe_one(Index contact, double t, const double* x, double* d, double* gamma) const override;
  void move(double t, const double* x, const double* force, double* dx) const override;
  void accelerate(double t, const double* x, const double* force, double* acceleration) const override;
  Matrix mobility(double t, const double* x, const std::vector<Index>& chosen) const override;
  void push(double t, const double* impulse, double* x) const override;
  Vector scales(double speed, const Vector& depth) const override;

 private:
  Vector times_G(const double* values) const;

  SparseMatrix G_;
  Matrix dense_;  // G, where it is not sparse
  Vector gamma_;
};

/// Contacts without friction of which only some act at a time: those outside the window have no force and fly on at
/// their velocities, so that they are looked at again only when they close.
class Flight {
 public:
  Flight(Vector d, Vector gamma);

  double d(Index i, double t) const { return d_[i] - gamma_[i] * (t - since_[i]); }
  double gamma(Index i) const { return gamma_[i]; }
  /// From here on.
  void set(Index i, double t, double d, double gamma);
  /// One that flies freely: remembered, if it closes faster than `noise`; it touches at d = `floor`.
  void release(Index i, double floor, double noise);
  /// When the next contact of those that were released closes, and which; HUGE_VAL: none.
  struct Closing {
    double t = HUGE_VAL;
    Index contact = -1;
    long stamp = 0;
    bool operator>(const Closing& other) const { return t > other.t || (t == other.t && contact > other.contact); }
  };
  Closing next();
  void take(Index i) { ++stamp_[i]; }  // it is in a window now

 private:
  Vector d_, gamma_, since_;
  std::vector<long> stamp_;
  std::priority_queue<Closing, std::vector<Closing>, std::greater<>> closing_;
};

}  // namespace carom::forces

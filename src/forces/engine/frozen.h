#pragma once

#include "carom/forces/engine/kinematics.h"
#include "carom/impact/problem.h"

namespace carom::forces {

/// The contacts of an impact at a frozen configuration: x = (d, Lambda), gamma = gamma_free + G Lambda, d' = -gamma_N.
class Frozen final : public Kinematics {
 public:
  explicit Frozen(const ContactProblem& problem);

  Index size() const override { return contacts() + rows(); }
  Index contacts() const override { return problem_.size(); }
  Index rows() const override { return problem_.gamma_free.size(); }
  Index row(Index contact) const override { return problem_.row[contact]; }
  int tangents(Index contact) const override { return problem_.contacts()[contact].tangents; }

  void observe(double t, const double* x, double* d, double* gamma) const override;
  void observe_one(Index contact, double t, const double* x, double* d, double* gamma) const override;
  void move(double t, const double* x, const double* force, double* dx) const override;
  void accelerate(double t, const double* x, const double* force, double* acceleration) const override;
  Matrix mobility(double t, const double* x, const std::vector<Index>& chosen) const override;
  void push(double t, const double* impulse, double* x) const override;
  const SparseMatrix* constant_mobility() const override { return &problem_.G; }
  Vector scales(double speed, const Vector& depth) const override;

 private:
  void multiply(const double* values, double* result) const;  // result += G values

  const ContactProblem& problem_;
  Matrix dense_;  // G, if it is small
};

}  // namespace carom::forces

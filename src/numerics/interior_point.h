#pragma once

#include <algorithm>
#include <cmath>

#include "carom/numerics/faces.h"

namespace carom::numerics {

/// Mehrotra's predictor-corrector method for  0 <= (A + shift) x + q _|_ x >= 0: its path runs through the interior and
/// does not care how many unknowns change sides, so it finds the face of large problems where exchanges wander. It is
/// not exact: the face is where x > w near the end of the path.
template <class Faces>
class InteriorPoint {
 public:
  InteriorPoint(Faces& faces, const Face& blocked, double shift, const Vector& q)
      : faces_(faces), blocked_(blocked), shift_(shift), q_(q), scale_(q.cwiseAbs().maxCoeff()) {
    x_ = w_ = Vector::Constant(q.size(), scale_ > 0 ? scale_ : 1);
  }

  /// Follows the path until the mean of x w is below `gap`, relative to q; false if it does not get there.
  bool advance(double gap, int& iterations) {
    for (int step = 0; step < kSteps; ++step) {
      residual_ = (A_times(x_) + q_) - w_ + shift_ * x_;
      const double mean = x_.dot(w_) / static_cast<double>(q_.size());
      if (mean <= gap * scale_ * scale_ && residual_.cwiseAbs().maxCoeff() <= kFeasible * scale_) return true;
      ++iterations;
      if (!walk(mean)) return false;
    }
    return false;
  }

  Face face() const {
    Face result(q_.size());
    for (Index i = 0; i < q_.size(); ++i) result[i] = !blocked_[i] && x_[i] > w_[i];
    return result;
  }

 private:
  static constexpr int kSteps = 80;
  static constexpr double kFeasible = 1e-3;  // of the residual on the way; the exact method takes over from there
  static constexpr double kMargin = 0.995;   // of the way to the boundary
  static constexpr double kHeld = 1e30;      // diagonal of an unknown that stays at zero

  const Vector& A_times(const Vector& v) {
    faces_.multiply(v, product_);
    return product_;
  }

  static double longest(const Vector& v, const Vector& dv) {
    double length = 1;
    for (Index i = 0; i < v.size(); ++i)
      if (dv[i] < 0) length = std::min(length, -v[i] / dv[i]);
    return length;
  }

  /// One step: towards w x = 0, then corrected by what that direction would have left.
  bool walk(double mean) {
    Vector diagonal = w_.cwiseQuotient(x_).array() + shift_;
    for (Index i = 0; i < diagonal.size(); ++i)
      if (blocked_[i]) diagonal[i] = kHeld;
    if (!faces_.factorize(diagonal)) return false;
    Vector dx, dw;
    faces_.substitute(-residual_ - w_, dx);
    dw = -w_ - w_.cwiseProduct(dx).cwiseQuotient(x_);
    const double reach = std::min(longest(x_, dx), longest(w_, dw));
    const double reached = (x_ + reach * dx).dot(w_ + reach * dw) / static_cast<double>(q_.size());
    const double centring = std::pow(std::max(0.0, reached) / mean, 3);
    const Vector correction = (centring * mean - dx.array() * dw.array()) / x_.array();
    faces_.substitute(correction - residual_ - w_, dx);
    dw = correction - w_ - w_.cwiseProduct(dx).cwiseQuotient(x_);
    const double length = kMargin * std::min(longest(x_, dx), longest(w_, dw));
    x_ += length * dx;
    w_ += length * dw;
    return x_.allFinite() && w_.allFinite() && x_.minCoeff() > 0 && w_.minCoeff() > 0;
  }

  Faces& faces_;
  const Face& blocked_;
  double shift_;
  const Vector& q_;
  double scale_;
  Vector x_, w_, residual_, product_;
};

}  // namespace carom::numerics

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/numerics/faces.h"
#include "carom/numerics/interior_point.h"
#include "carom/numerics/lcp_solution.h"

namespace carom::numerics {

/// Rounding allowed in the sign of x and w, relative to q and to the largest entry of x.
inline constexpr double kSignTolerance = 1e-13, kSignOfLarge = 1e-14;

/// An x larger than this, relative to q, shows that the face is singular but for rounding.
inline constexpr double kLargest = 1e10;

/// Solves  0 <= A x + q _|_ x >= 0, at least one unknown, for a unit-diagonal positive semidefinite A, given by its
/// faces. After `run`, x, w and face hold the answer; `singular` says that proximal terms were needed, so x may be one
/// of many.
template <class Faces>
class ActiveSet {
 public:
  /// `size` is the size of the terms of q, the largest entry of |q| at least.
  ActiveSet(Faces& faces, const Vector& q, const Face& blocked, double size)
      : faces_(faces), q_(q), blocked_(blocked), scale_(size) {}

  LcpStatus run() {
    start();
    Step step = strictly_convex(0, q_);
    if (step == Step::singular) {
      singular = true;
      return proximal();
    }
    return step == Step::done ? LcpStatus::solved : LcpStatus::iteration_limit;
  }

  /// How far x and w are from complementarity.
  double violation() const {
    double worst = 0;
    for (Index i = 0; i < x.size(); ++i)
      if (!blocked_[i]) worst = std::max(worst, std::abs(std::min(x[i], w[i])));
    return worst;
  }

  Vector x, w, ray;
  Face face;
  bool singular = false;
  int iterations = 0;

 private:
  enum class Step { done, singular, limit };

  static constexpr int kPatience = 5;         // block exchanges without progress before another method
  static constexpr Index kManyUnknowns = 64;  // up to here, going face by face is fast enough
  static constexpr int kDownhill = 12;        // gradient steps to the first face: each costs far less than a factor
  static constexpr double kProximal = 1e-6;   // first weight of the proximal term, against the unit diagonal
  static constexpr double kLeastProximal = 1e-10;  // last one, well above the pivots of a singular matrix
  static constexpr double kFast = 0.1;             // a step that leaves more of the residual than this is slow
  static constexpr int kProximalSteps = 200;
  static constexpr double kProximalGoal = 1e-15;  // residual, relative to q
  static constexpr double kFeasibility = 1e-11;   // smaller contradictions in q are rounding
  static constexpr double kDirection = 1e-8;      // of a direction that proves infeasibility

  void start() {
    const bool full = faces_.prefers_full_start();
    face.assign(q_.size(), 0);
    if (!full && q_.size() > kManyUnknowns) return start_downhill();
    for (Index i = 0; i < q_.size(); ++i) face[i] = !blocked_[i] && (full || q_[i] <= kSignTolerance * scale_);
  }

  /// The unknowns that some projected gradient steps, of Barzilai and Borwein's lengths, leave positive.
  void start_downhill() {
    const auto feasible = [&](Index i, double value) { return blocked_[i] ? 0.0 : std::max(0.0, value); };
    Vector step(q_.size()), gradient = q_;
    for (Index i = 0; i < q_.size(); ++i) step[i] = feasible(i, -q_[i]);
    x = step;
    for (int k = 0; k < kDownhill; ++k) {
      faces_.multiply(step, w);
      gradient += w;
      const double curvature = step.dot(w), length = curvature > 0 ? step.squaredNorm() / curvature : 1;
      for (Index i = 0; i < q_.size(); ++i) {
        step[i] = feasible(i, x[i] - length * gradient[i]) - x[i];
        x[i] += step[i];
      }
    }
    for (Index i = 0; i < q_.size(); ++i) face[i] = x[i] > 0;
  }

  /// w = (A + shift) x + q
  void slack(double shift, const Vector& q) {
    faces_.multiply(x, w);
    w += q;
    if (shift != 0) w += shift * x;
  }

  double tolerance() const { return kSignTolerance * scale_ + kSignOfLarge * x.cwiseAbs().maxCoeff(); }

  bool solve_face(double shift, const Vector& q, Vector& result) {
    ++iterations;
    return faces_.solve(face, shift, q, result) && result.cwiseAbs().maxCoeff() <= kLargest * scale_;
  }

  Step strictly_convex(double shift, const Vector& q) {
    Step step = exchange_blocks(shift, q, kPatience);
    if (step == Step::limit && q.size() > kManyUnknowns) step = through_the_interior(shift, q);
    return step == Step::limit ? descend(shift, q) : step;
  }

  /// Moves every unknown of the wrong sign to the other side at once. Fast, but may wander.
  Step exchange_blocks(double shift, const Vector& q, const int patient) {
    Index fewest = q.size() + 1;
    for (int patience = patient; patience > 0;) {
      if (!solve_face(shift, q, x)) return Step::singular;
      slack(shift, q);
      const double allowed = tolerance();
      Index wrong = 0;
      for (Index i = 0; i < q.size(); ++i)
        if (!blocked_[i] && (face[i] ? x[i] : w[i]) < -allowed) {
          face[i] = !face[i];
          ++wrong;
        }
      if (wrong == 0) return finish();
      if (wrong < fewest) {
        fewest = wrong;
        patience = patient;
      } else {
        --patience;
      }
    }
    return Step::limit;
  }

  /// Takes the face from the end of an interior path, and exchanges from there; a longer path if that does not settle
  /// it.
  Step through_the_interior(double shift, const Vector& q) {
    InteriorPoint<Faces> path(faces_, blocked_, shift, q);
    for (const double gap : {1e-9, 1e-11, 1e-13}) {
      if (!path.advance(gap, iterations)) return Step::limit;
      face = path.face();
      const Step step = exchange_blocks(shift, q, 2);
      if (step != Step::limit) return step;
    }
    return Step::limit;
  }

  /// From x = 0, minimizes face by face; x stays feasible and the objective falls at every face, so none comes back.
  Step descend(double shift, const Vector& q) {
    const Index limit = 10 * q.size() + 100;
    Vector target;
    x.setZero(q.size());
    std::fill(face.begin(), face.end(), 0);
    for (Index outer = 0; outer < limit; ++outer) {
      slack(shift, q);
      const double allowed = tolerance();
      Index steepest = -1;
      for (Index i = 0; i < q.size(); ++i)
        if (!face[i] && !blocked_[i] && w[i] < -allowed && (steepest < 0 || w[i] < w[steepest])) steepest = i;
      if (steepest < 0) return finish();
      face[steepest] = 1;
      if (!minimize_on_face(shift, q, target)) return Step::singular;
    }
    return Step::limit;
  }

  /// Walks from x towards the minimum on the face, dropping each unknown that reaches zero on the way.
  bool minimize_on_face(double shift, const Vector& q, Vector& target) {
    for (;;) {
      if (!solve_face(shift, q, target)) return false;
      double fraction = 1;
      Index first = -1;
      for (Index i = 0; i < q.size(); ++i)
        if (face[i] && target[i] < 0 && x[i] < fraction * (x[i] - target[i])) {
          fraction = x[i] / (x[i] - target[i]);
          first = i;
        }
      if (first < 0) {
        x = target.cwiseMax(0);
        return true;
      }
      x += fraction * (target - x);
      for (Index i = 0; i < q.size(); ++i)
        if (i == first || (face[i] && target[i] < 0 && x[i] <= 0)) {
          x[i] = 0;
          face[i] = 0;
        }
    }
  }

  Step finish() {
    x = x.cwiseMax(0);
    return Step::done;
  }

  /// Solves A x + q + d (x - centre) with the centre following x. The first step already has the least norm but for d;
  /// where A is nearly singular the steps converge slowly, and d shrinks.
  LcpStatus proximal() {
    Vector centre = Vector::Zero(q_.size()), shifted(q_.size()), Ad;
    start();
    double weight = kProximal, before = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kProximalSteps; ++step) {
      shifted = q_ - weight * centre;
      if (strictly_convex(weight, shifted) != Step::done) return LcpStatus::iteration_limit;
      const Vector d = x - centre;
      const double moved = d.cwiseAbs().maxCoeff(), residual = weight * moved;
      const bool accepted = residual <= kFeasibility * scale_, slow = residual > kFast * before;
      if (residual <= kProximalGoal * scale_ || (accepted && slow)) break;
      if (step > 0) {
        faces_.multiply(d, Ad);
        const bool certain = Ad.cwiseAbs().maxCoeff() <= kDirection * moved && d.minCoeff() >= -kDirection * moved;
        if (certain && accepted) break;
        if (certain) {
          ray = d.cwiseMax(0) / moved;
          return LcpStatus::infeasible;
        }
      }
      if (step + 1 == kProximalSteps && !accepted) return LcpStatus::iteration_limit;
      if (slow) weight = std::max(0.1 * weight, kLeastProximal);
      before = residual;
      centre = x;
    }
    slack(0, q_);
    return LcpStatus::solved;
  }

  Faces& faces_;
  const Vector& q_;
  const Face& blocked_;
  double scale_;
};

}  // namespace carom::numerics

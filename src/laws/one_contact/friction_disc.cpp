#include "carom/laws/one_contact/friction_disc.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/decompositions.h"

namespace carom::one_contact {
namespace {

constexpr double kRank = 1e-13;  // of an eigenvalue, relative to the largest: below this T does not move that direction
constexpr double kRange = 1e-10;  // of q in a direction that T does not move, relative: below this it is rounding

struct Axes {
  Eigen::Matrix2d directions;
  Eigen::Vector2d stiffness, q;  // T and q in these directions

  Axes(const Eigen::Matrix2d& T, const Eigen::Vector2d& q_given) {
    const auto spectrum = numerics::symmetric_spectrum(T);
    directions = spectrum.vectors;
    stiffness = spectrum.values;
    q = directions.transpose() * q_given;
    for (int i = 0; i < 2; ++i) {
      if (stiffness[i] > kRank * stiffness[1]) continue;
      stiffness[i] = 0;
      if (std::abs(q[i]) <= kRange * q_given.norm()) q[i] = 0;
    }
  }

  /// -(T + nu)^-1 q.
  Eigen::Vector2d impulse(double nu) const {
    Eigen::Vector2d P;
    for (int i = 0; i < 2; ++i) P[i] = q[i] == 0 ? 0 : -q[i] / (stiffness[i] + nu);
    return P;
  }
};

/// The nu > 0 with |(T + nu)^-1 q| = R: Newton's method on the inverse of this length, which is nearly linear and
/// concave, from below.
double multiplier(const Axes& axes, double R) {
  constexpr int kSteps = 100;
  constexpr double kAccuracy = 1e-15;
  double nu = std::max({0.0, std::abs(axes.q[0]) / R - axes.stiffness[0], std::abs(axes.q[1]) / R - axes.stiffness[1]});
  for (int step = 0; step < kSteps; ++step) {
    const Eigen::Vector2d P = axes.impulse(nu);
    const double length = P.norm();
    double fall = 0;  // -d(length)/d(nu) times length
    for (int i = 0; i < 2; ++i)
      if (P[i] != 0) fall += P[i] * P[i] / (axes.stiffness[i] + nu);
    if (!(fall > 0)) break;
    const double change = (length - R) / R * length * length / fall;
    nu += change;
    if (!(change > kAccuracy * nu)) break;
  }
  return nu;
}

}  // namespace

FrictionDisc friction_on_disc(const Eigen::Matrix2d& T, const Eigen::Vector2d& q, double R) {
  const Axes axes(T, q);
  if (R <= 0) return {Eigen::Vector2d::Zero(), axes.q.isZero(0)};
  const Eigen::Vector2d stuck = axes.impulse(0);
  if (stuck.norm() <= R) return {axes.directions * stuck, true};
  Eigen::Vector2d P = axes.directions * axes.impulse(multiplier(axes, R));
  return {P * (R / P.norm()), false};
}

Eigen::Vector2d pseudo_solve(const Eigen::Matrix2d& T, const Eigen::Vector2d& q) {
  const Axes axes(T, q);
  Eigen::Vector2d x = Eigen::Vector2d::Zero();
  for (int i = 0; i < 2; ++i)
    if (axes.stiffness[i] > 0) x[i] = axes.q[i] / axes.stiffness[i];
  return axes.directions * x;
}

}  // namespace carom::one_contact

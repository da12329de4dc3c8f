#include "carom/analysis/kinetic_metric.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/impact/law.h"

namespace carom::analysis {
Matrix kinetic_cosines(const ContactProblem& problem) {
  const NormalProblem normal(problem);
  const Vector scale = unit_scale(normal.G().diagonal());
  Matrix A = scale.asDiagonal() * Matrix(normal.G()) * scale.asDiagonal();
  A.diagonal().setOnes();
  return A;
}

Matrix kinetic_angles(const ContactProblem& problem) {
  return kinetic_cosines(problem).unaryExpr(
      [](double cosine) { return std::numbers::pi - std::acos(std::clamp(cosine, -1.0, 1.0)); });
}

Vector kinetic_normal_velocities(const ContactProblem& problem, const Vector& gamma) {
  return unit_scale(NormalProblem(problem).G().diagonal()).cwiseProduct(gamma);
}

}  // namespace carom::analysis

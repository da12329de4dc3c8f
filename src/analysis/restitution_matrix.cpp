#include "carom/analysis/restitution_matrix.h"

#include <cmath>
#include <limits>

#include "carom/analysis/kinetic_metric.h"
#include "carom/impact/law.h"
#include "carom/numerics/decompositions.h"

namespace carom::analysis {
namespace {

constexpr double kIndependent = 1e-11;  // of an eigenvalue of A: below it the contacts are redundant
constexpr double kNeutral = 1e-12;      // of the norm: this close to 1 keeps the energy

}  // namespace

Dissipativity dissipativity(const ContactProblem& problem, const Matrix& E_n) {
  require_square(E_n, problem.size(), "law.E_n");
  const auto [values, vectors] = numerics::symmetric_spectrum(kinetic_cosines(problem));
  Dissipativity result;
  if (values[0] <= kIndependent) {
    result.norm = result.energy_ratio = std::numeric_limits<double>::infinity();
    return result;
  }
  const Vector roots = values.cwiseSqrt();
  const Matrix root = vectors * roots.asDiagonal() * vectors.transpose(),
               inverse_root = vectors * roots.cwiseInverse().asDiagonal() * vectors.transpose();
  const auto [norm, direction] = numerics::largest_singular(inverse_root * E_n * root);
  result.norm = norm;
  result.dissipative = result.norm <= 1 + kNeutral;
  result.worst = std::sqrt(2.0) * root * direction;
  result.energy_ratio = result.norm * result.norm;
  return result;
}

Matrix restitution_matrix(const ContactProblem& problem, const Vector& u_plus, const Matrix& guess) {
  require_square(guess, problem.size(), "guess");
  const ImpactProblem& impact = *problem.impact;
  if (u_plus.size() != impact.M.size()) throw InputError("u_plus", "is not as long as u");
  Vector gamma_plus = impact.W.transpose() * u_plus;
  if (impact.drift.size() > 0) gamma_plus += impact.drift;
  const Vector before = kinetic_normal_velocities(problem, NormalProblem(problem).gamma_minus);
  const Vector after = kinetic_normal_velocities(problem, gamma_plus(problem.row));
  const double squared = before.squaredNorm();
  if (squared == 0) return after.squaredNorm() == 0 ? guess : Matrix();
  return guess - (after + guess * before) * before.transpose() / squared;
}

double rigid_restitution(double e, double G_rigid, double G_flexible) {
  return (1 + e) * G_rigid / (G_rigid + G_flexible) - 1;
}

}  // namespace carom::analysis

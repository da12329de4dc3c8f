#include "carom/analysis/effective_restitution.h"

#include <cmath>

namespace carom {
namespace {

constexpr double kBalanced = 1e-12;    // of the entries of a direction between two bodies: their sum
constexpr double kNoMomentum = 1e-12;  // of the momenta one by one: what they cancel to

bool is_column(const ImpactProblem& problem) {
  if (problem.J.cols() > 0 || problem.W.cols() != static_cast<Index>(problem.contacts.size())) return false;
  if (problem.drift.size() > 0 && problem.drift.cwiseAbs().maxCoeff() > 0) return false;
  int walls = 0;
  for (Index j = 0; j < problem.W.cols(); ++j) {
    double sum = 0, size = 0;
    int entries = 0;
    for (SparseMatrix::InnerIterator entry(problem.W, j); entry; ++entry) {
      sum += entry.value();
      size += std::abs(entry.value());
      entries += entry.value() != 0;
    }
    if (entries == 1)
      ++walls;
    else if (entries != 2 || std::abs(sum) > kBalanced * size)
      return false;
  }
  return walls == 1 && problem.W.cols() > 1;
}

}  // namespace

std::optional<double> effective_restitution(const ImpactProblem& problem, const Vector& u_plus) {
  if (u_plus.size() != problem.u_minus.size() || !is_column(problem)) return std::nullopt;
  const Vector momenta = problem.M * problem.u_minus;
  const double before = momenta.sum();
  if (std::abs(before) <= kNoMomentum * momenta.cwiseAbs().sum()) return std::nullopt;
  return -Vector(problem.M * u_plus).sum() / before;
}

}  // namespace carom

#include "impact/law.h"

#include <fmt/format.h>

namespace carom {

void require_restitution_in_unit_interval(const ContactProblem& problem, std::string_view law) {
  for (std::size_t i = 0; i < problem.contacts().size(); ++i) {
    const double e = problem.contacts()[i].e;
    if (!(e >= 0 && e <= 1))
      throw InputError(fmt::format("contacts[{}].e", i),
                       fmt::format("{} is outside [0, 1]; {} needs a coefficient of restitution in [0, 1]", e, law));
  }
}

void require_no_friction(const ContactProblem& problem, std::string_view law) {
  for (std::size_t i = 0; i < problem.contacts().size(); ++i) {
    const double mu = problem.contacts()[i].mu;
    if (mu > 0)
      throw InputError(
          fmt::format("contacts[{}].mu", i),
          fmt::format("{} is not 0; {} is frictionless and has no use for a friction coefficient", mu, law));
  }
}

void require_square(const Matrix& matrix, Index size, std::string_view place) {
  if (matrix.rows() != size || matrix.cols() != size)
    throw InputError(std::string(place),
                     fmt::format("is {} x {}; it must be {} x {}", matrix.rows(), matrix.cols(), size, size));
  if (!matrix.allFinite()) throw InputError(std::string(place), "has an entry that is not a finite number");
}

Impulses contradiction(const ContactProblem& problem, const Vector& ray, std::string_view law) {
  constexpr double kTakesPart = 1e-6;  // of the largest entry
  constexpr std::size_t kShown = 4;
  std::string names;
  std::size_t count = 0;
  for (Index i = 0; i < ray.size(); ++i)
    if (ray[i] > kTakesPart && count++ < kShown)
      names += (names.empty() ? "'" : ", '") + problem.contacts()[i].name + "'";
  if (count > kShown) names += fmt::format(" and {} more", count - kShown);
  Impulses impulses;
  impulses.status = Status::no_solution;
  impulses.message = fmt::format("{}: no impulses exist; contact{} {} ask{} for velocities that exclude each other",
                                 law, count == 1 ? "" : "s", names, count == 1 ? "s" : "");
  return impulses;
}

NormalProblem::NormalProblem(const ContactProblem& problem) : problem_(&problem), shared_(&problem.G) {
  if (!problem.has_tangents()) {
    gamma_minus = problem.gamma_minus;
    gamma_free = problem.gamma_free;
    return;
  }
  gamma_minus = problem.gamma_minus(problem.row);
  gamma_free = problem.gamma_free(problem.row);
  std::vector<Index> contact_of_row(problem.gamma_minus.size(), -1);
  for (std::size_t i = 0; i < problem.row.size(); ++i) contact_of_row[problem.row[i]] = static_cast<Index>(i);
  G_.resize(problem.size(), problem.size());
  for (Index i = 0; i < problem.size(); ++i) {
    G_.startVec(i);
    for (SparseMatrix::InnerIterator entry(problem.G, problem.row[i]); entry; ++entry)
      if (contact_of_row[entry.row()] >= 0) G_.insertBack(contact_of_row[entry.row()], i) = entry.value();
  }
  G_.finalize();
  own_ = true;
}

Vector NormalProblem::to_rows(const Vector& normal) const {
  if (!own_) return normal;
  Vector rows = Vector::Zero(problem_->gamma_minus.size());
  rows(problem_->row) = normal;
  return rows;
}

}  // namespace carom

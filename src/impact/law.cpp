#include "carom/impact/law.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom {

void require_restitution_in_unit_interval(const ContactProblem& problem, std::string_view law) {
  if (problem.has.least_e >= 0 && problem.has.greatest_e <= 1) return;
  for (std::size_t i = 0; i < problem.contacts().size(); ++i) {
    const double e = problem.contacts()[i].e;
    if (!(e >= 0 && e <= 1))
      throw InputError(fmt::format("contacts[{}].e", i),
                       fmt::format("{} is outside [0, 1]; {} needs a coefficient of restitution in [0, 1]", e, law));
  }
}

bool has_friction(const ContactProblem& problem) {
  return problem.has.friction && problem.has_tangents() &&
         std::any_of(problem.contacts().begin(), problem.contacts().end(),
                     [](const Contact& one) { return one.tangents > 0 && one.mu > 0; });
}

void require_no_friction(const ContactProblem& problem, std::string_view law) {
  if (!problem.has.friction) return;
  for (std::size_t i = 0; i < problem.contacts().size(); ++i) {
    const double mu = problem.contacts()[i].mu;
    if (mu > 0)
      throw InputError(
          fmt::format("contacts[{}].mu", i),
          fmt::format("{} is not 0; {} is frictionless and has no use for a friction coefficient", mu, law));
  }
}

void require_tolerance(double tolerance, std::string_view law) {
  if (!(tolerance >= 1e-12 && tolerance <= 0.1))
    throw InputError("law.tolerance", fmt::format("{} is outside [1e-12, 0.1]; {} integrates to this relative accuracy",
                                                  tolerance, law));
}

void require_square(const Matrix& matrix, Index size, std::string_view place) {
  if (matrix.rows() != size || matrix.cols() != size)
    throw InputError(std::string(place),
                     fmt::format("is {} x {}; it must be {} x {}", matrix.rows(), matrix.cols(), size, size));
  if (!matrix.allFinite()) throw InputError(std::string(place), "has an entry that is not a finite number");
}

bool is_cancelled(const ContactProblem& problem) {
  return problem.options.watch != nullptr && problem.options.watch->is_cancelled();
}

std::string not_at_its_end(const ContactProblem& problem, std::string_view law, long steps) {
  return fmt::format("{}: not at its end after {} steps{}", law, steps,
                     is_cancelled(problem) ? ", when it was told to stop" : "");
}

NamedContacts named(const ContactProblem& problem, const Vector& share, double least) {
  constexpr std::size_t kShown = 4;
  NamedContacts result;
  for (Index i = 0; i < share.size(); ++i)
    if (share[i] > least * share.maxCoeff() && result.count++ < kShown)
      result.names += (result.names.empty() ? "'" : ", '") + problem.contacts()[i].name + "'";
  if (result.count > kShown) result.names += fmt::format(" and {} more", result.count - kShown);
  return result;
}

Impulses contradiction(const ContactProblem& problem, const Vector& ray, std::string_view law) {
  constexpr double kTakesPart = 1e-6;  // of the largest energy among the ray's impulses
  constexpr double kBalanced = 1e-10;  // of the velocity that the ray's impulses give, relative to theirs one by one
  const ImpactProblem& impact = *problem.impact;
  Vector rows = Vector::Zero(problem.gamma_minus.size());
  rows(problem.row) = ray;
  Vector weight = problem.G.diagonal()(problem.row).cwiseSqrt().cwiseProduct(ray);
  Vector velocity = impact.M.solve(impact.W * rows);
  if (!problem.joints.empty()) velocity = problem.joints.project(velocity);

  Impulses impulses;
  const bool moves = std::sqrt(2 * impact.M.kinetic_energy(velocity)) > kBalanced * weight.sum();
  if (moves && weight.sum() > 0) {
    impulses.status = Status::iteration_limit;
    impulses.message = fmt::format("{}: not resolved; masses or directions are too unequal for the arithmetic", law);
    impulses.Lambda = Vector::Zero(rows.size());
    return impulses;
  }
  if (weight.maxCoeff() <= 0) weight = ray;  // contacts that joints hold fast
  const auto [names, count] = named(problem, weight, kTakesPart);
  impulses.status = Status::no_solution;
  impulses.message =
      count == 1
          ? fmt::format("{}: no impulses exist; joints hold contact {} fast and it asks to move", law, names)
          : fmt::format("{}: no impulses exist; contacts {} ask for velocities that exclude each other", law, names);
  return impulses;
}

NormalProblem::NormalProblem(const ContactProblem& problem)
    : problem_(problem),
      own_(without_tangents(problem)),
      gamma_minus(own_ ? own_->gamma_minus : problem.gamma_minus),
      gamma_free(own_ ? own_->gamma_free : problem.gamma_free),
      gamma_terms(own_ ? own_->gamma_terms : problem.gamma_terms) {}

std::optional<NormalProblem::Rows> NormalProblem::without_tangents(const ContactProblem& problem) {
  if (!problem.has_tangents()) return std::nullopt;
  std::vector<Index> contact_of_row(problem.gamma_minus.size(), -1);
  for (std::size_t i = 0; i < problem.row.size(); ++i) contact_of_row[problem.row[i]] = static_cast<Index>(i);
  std::optional<Rows> normals(std::in_place);
  SparseMatrix& G = normals->G;
  G.resize(problem.size(), problem.size());
  for (Index i = 0; i < problem.size(); ++i) {
    G.startVec(i);
    for (SparseMatrix::InnerIterator entry(problem.G, problem.row[i]); entry; ++entry)
      if (contact_of_row[entry.row()] >= 0) G.insertBack(contact_of_row[entry.row()], i) = entry.value();
  }
  G.finalize();
  normals->gamma_minus = problem.gamma_minus(problem.row);
  normals->gamma_free = problem.gamma_free(problem.row);
  normals->gamma_terms = problem.gamma_terms(problem.row);
  return normals;
}

Vector NormalProblem::to_rows(Vector normal) const {
  if (!own_) return normal;
  Vector rows = Vector::Zero(problem_.gamma_minus.size());
  rows(problem_.row) = normal;
  return rows;
}

}  // namespace carom

#include "carom/impact/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "carom/impact/delassus.h"
#include "carom/numerics/sparse_products.h"

namespace carom {
namespace {

void require_length(Index length, Index expected, const char* place) {
  if (length != expected) throw InputError(place, fmt::format("has {} entries; the system has {}", length, expected));
}

void require_finite(const Vector& values, const char* place) {
  if (all_finite(values)) return;
  for (Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw InputError(fmt::format("{}[{}]", place, i), fmt::format("{} is not a finite number", values[i]));
}

/// A direction, column j of W or J, must be finite and not zero.
void require_direction(const SparseMatrix& directions, Index j, const auto& place) {
  const auto column = directions.col(j);
  const double size = Eigen::Map<const Vector>(column.valuePtr(), column.nonZeros()).lpNorm<1>();
  if (std::isfinite(size) && size > 0) return;
  for (SparseMatrix::InnerIterator entry(directions, j); entry; ++entry)
    if (!std::isfinite(entry.value()))
      throw InputError(place(), fmt::format("entry {} = {} is not a finite number", entry.row(), entry.value()));
  if (size == 0) throw InputError(place(), "is zero; a direction must not vanish");
}

void require_contact(const Contact& contact, std::size_t i) {
  // One test for the usual case; those that follow find what is wrong.
  const double sum = contact.e + contact.e_t + contact.mu + contact.k + contact.eta + contact.E0 + contact.gap_rate +
                     contact.flexibility;
  const bool optional = contact.c || contact.mu_s || contact.k_t || contact.mu_2 || contact.e_t_2 || contact.e_of;
  if (!optional && std::isfinite(sum) && contact.mu >= 0 && contact.k > 0 && contact.eta > 0 && contact.E0 >= 0 &&
      contact.gap_rate >= 0 && contact.flexibility >= 0)
    return;
  const auto require = [&](bool holds, const char* field, double value, const char* rule) {
    if (!std::isfinite(value)) rule = "must be a finite number";
    if (!holds || !std::isfinite(value))
      throw InputError(fmt::format("contacts[{}].{}", i, field), fmt::format("{} {}", value, rule));
  };
  require(true, "e", contact.e, "");
  require(true, "e_t", contact.e_t, "");
  require(contact.mu >= 0, "mu", contact.mu, "is negative; friction coefficients are >= 0");
  require(contact.k > 0, "k", contact.k, "is not positive; stiffnesses are > 0");
  require(contact.eta > 0, "eta", contact.eta, "is not positive; exponents are > 0");
  require(contact.E0 >= 0, "E0", contact.E0, "is negative; stored energies are >= 0");
  require(contact.gap_rate >= 0, "gap_rate", contact.gap_rate,
          "is negative; gap_rate >= 0, the gap that is left over the time step");
  require(contact.flexibility >= 0, "flexibility", contact.flexibility, "is negative; flexibilities are >= 0");
  if (contact.c) require(*contact.c >= 0, "c", *contact.c, "is negative; damping is >= 0");
  if (contact.mu_s) {
    require(*contact.mu_s >= 0, "mu_s", *contact.mu_s, "is negative; friction coefficients are >= 0");
    if (*contact.mu_s < contact.mu)
      throw InputError(fmt::format("contacts[{}].mu_s", i),
                       fmt::format("{} is below mu = {}; what sticks holds at least as well as what slips",
                                   *contact.mu_s, contact.mu));
  }
  if (contact.mu_2) {
    const char* rule = "is not positive; friction of two directions has two positive coefficients";
    require(*contact.mu_2 > 0, "mu", *contact.mu_2, rule);
    require(contact.mu > 0, "mu", contact.mu, rule);
  }
  if (contact.e_t_2) require(true, "e_t", *contact.e_t_2, "");
  if (contact.k_t) require(*contact.k_t > 0, "k_t", *contact.k_t, "is not positive; stiffnesses are > 0");
  if (!contact.e_of) return;
  if (const std::string fault = fault_of(*contact.e_of); !fault.empty())
    throw InputError(fmt::format("contacts[{}].e", i), fault);
}

/// The rows of the contacts' normals, and what is added to W'u: the motion of walls, and gaps that are still open.
struct Rows {
  std::vector<Index> normal;  // (m)
  Vector offset;              // (rows); empty = 0
  ContactFeatures has = {};
};

void add_restitution(ContactFeatures& has, double e) {
  has.least_e = std::min(has.least_e, e);
  has.greatest_e = std::max(has.greatest_e, e);
}

Rows rows_of(const ImpactProblem& problem) {
  Rows rows{.normal = std::vector<Index>(problem.contacts.size()), .offset = problem.drift};
  if (problem.contacts.empty()) return rows;
  rows.has.least_e = rows.has.greatest_e = problem.contacts[0].e;
  Index row = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    rows.normal[i] = row;
    if (contact.gap_rate > 0) {
      if (rows.offset.size() == 0) rows.offset = Vector::Zero(problem.W.cols());
      rows.offset[row] += contact.gap_rate;
      rows.has.gaps = true;
    }
    row += 1 + contact.tangents;
    rows.has.friction |= contact.mu > 0;
    rows.has.functions |= contact.e_of != nullptr;
    rows.has.stored |= contact.E0 > 0;
    add_restitution(rows.has, contact.e);
  }
  return rows;
}

/// gamma_minus = W'u- + offset and the size of its terms.
void gap_velocities(const ImpactProblem& problem, const Vector& offset, ContactProblem& reduced) {
  const Index rows = problem.W.cols();
  reduced.gamma_minus.resize(rows);
  reduced.gamma_terms.resize(rows);
  for (Index j = 0; j < rows; ++j) {
    const double drift = offset.size() > 0 ? offset[j] : 0;
    const numerics::Sum sum = numerics::column_product(problem.W, j, problem.u_minus);
    reduced.gamma_minus[j] = sum.value + drift;
    reduced.gamma_terms[j] = sum.terms + std::abs(drift);
  }
}

/// e at the speed `gamma` [m/s] of a contact that the mass 1 / `inverse_mass` stands behind.
double restitution_at(const RestitutionFunction& function, double gamma, double inverse_mass) {
  const double speed = std::max(0.0, -gamma);
  return function.at(speed, inverse_mass > 0 ? 0.5 * speed * speed / inverse_mass : 0);
}

/// Adds the contacts with the e that laws which jump read.
void evaluate_contacts(ContactProblem& problem) {
  problem.evaluated = problem.impact->contacts;
  for (std::size_t i = 0; i < problem.evaluated.size(); ++i) {
    Contact& contact = problem.evaluated[i];
    if (contact.e_of) {
      const Index row = problem.row[i];
      contact.e = restitution_at(*contact.e_of, problem.gamma_minus[row], problem.G.coeff(row, row));
    }
    if (i == 0) problem.has.least_e = problem.has.greatest_e = contact.e;
    add_restitution(problem.has, contact.e);
  }
}

}  // namespace

void evaluate_restitution(ImpactProblem& problem) {
  if (std::none_of(problem.contacts.begin(), problem.contacts.end(), [](const Contact& one) { return one.e_of; }))
    return;
  ContactProblem reduced = reduce(problem);
  problem.contacts = std::move(reduced.evaluated);
  for (Contact& contact : problem.contacts) contact.e_of = nullptr;
}

void validate(const ImpactProblem& problem) {
  const Index n = problem.M.size();
  if (n == 0) throw InputError("", "a problem needs at least one mass");
  require_length(problem.u_minus.size(), n, "u");
  require_finite(problem.u_minus, "u");
  if (problem.p.size() > 0) require_length(problem.p.size(), n, "p");
  require_finite(problem.p, "p");
  if (problem.contacts.empty()) throw InputError("contacts", "is empty; an impact needs at least one contact");

  Index rows = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    require_contact(contact, i);
    if (contact.tangents < 0 || contact.tangents > 2)
      throw InputError(fmt::format("contacts[{}].tangents", i),
                       fmt::format("{} tangents; a contact has 0, 1 or 2", contact.tangents));
    for (int t = 0; t <= contact.tangents; ++t, ++rows) {
      if (rows >= problem.W.cols()) continue;  // found below
      require_direction(problem.W, rows, [&] {
        return t == 0 ? fmt::format("contacts[{}].normal", i) : fmt::format("contacts[{}].tangents[{}]", i, t - 1);
      });
      if (rows < problem.drift.size() && !std::isfinite(problem.drift[rows]))
        throw InputError(fmt::format("contacts[{}].drift", i),
                         fmt::format("{} is not a finite number", problem.drift[rows]));
    }
  }
  if (problem.W.rows() != n || problem.W.cols() != rows)
    throw InputError("contacts",
                     fmt::format("W is {} x {}; {} degrees of freedom and the contacts' directions make {} x {}",
                                 problem.W.rows(), problem.W.cols(), n, n, rows));
  if (problem.drift.size() > 0) require_length(problem.drift.size(), rows, "drift");
  if (problem.J.cols() > 0 && problem.J.rows() != n) require_length(problem.J.rows(), n, "joints");
  for (Index j = 0; j < problem.J.cols(); ++j)
    require_direction(problem.J, j, [&] { return fmt::format("joints[{}]", j); });
}

namespace {

/// What follows from G and the joints, which are there.
void complete(const ImpactProblem& problem, ContactProblem& reduced) {
  auto [normals, offset, has] = rows_of(problem);
  reduced.impact = &problem;
  reduced.row = std::move(normals);
  reduced.has = has;
  gap_velocities(problem, offset, reduced);
  if (!all_finite(reduced.gamma_minus) ||
      !all_finite(Eigen::Map<const Vector>(reduced.G.valuePtr(), reduced.G.nonZeros())))
    throw InputError("",
                     "masses, directions or velocities leave the range of floating point; choose units nearer to 1");

  if (has.functions) evaluate_contacts(reduced);
  reduced.gamma_free = reduced.gamma_minus;
  const bool smooth = problem.p.size() > 0, jointed = !reduced.joints.empty();
  if (!smooth && !jointed) return;

  Vector u_free = problem.u_minus;
  if (smooth) u_free += problem.M.solve(problem.p);
  if (jointed) u_free = reduced.joints.project(u_free);
  for (Index j = 0; j < problem.W.cols(); ++j) {
    const numerics::Sum sum = numerics::column_product(problem.W, j, u_free);
    const double drift = offset.size() > 0 ? offset[j] : 0;
    reduced.gamma_free[j] = sum.value + drift;
    reduced.gamma_terms[j] = std::max(reduced.gamma_terms[j], sum.terms + std::abs(drift));
  }
}

}  // namespace

ContactProblem reduce(const ImpactProblem& problem, SolveOptions options) {
  if (!options.validated) validate(problem);
  const bool jointed = problem.J.cols() > 0;
  Joints joints = jointed ? Joints(problem.M, problem.J) : Joints();
  ContactProblem reduced{
      .impact = &problem,
      .G = jointed ? delassus(problem.W, problem.M, joints) : delassus(problem.W, problem.M),  // made in its place
      .gamma_minus = {},
      .gamma_free = {},
      .gamma_terms = {},
      .row = {},
      .joints = std::move(joints),
      .options = std::move(options),
      .has = {},
      .evaluated = {},
  };
  complete(problem, reduced);
  return reduced;
}

ContactProblem reduce_without_G(const ImpactProblem& problem, SolveOptions options) {
  assert(problem.J.cols() == 0);
  if (!options.validated) validate(problem);
  ContactProblem reduced;
  reduced.options = std::move(options);
  complete(problem, reduced);
  return reduced;
}

}  // namespace carom

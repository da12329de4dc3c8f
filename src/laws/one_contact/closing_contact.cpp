#include "carom/laws/one_contact/closing_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom::one_contact {
namespace {

constexpr double kRounding = 1e-14;  // of a velocity, relative to the terms it is summed from
constexpr double kPresses = 1e-12;   // of dc_n/dP_n, relative to its terms

bool closes(const ContactProblem& problem, Index i) {
  const Index row = problem.row[i];
  return problem.gamma_free[row] < -kRounding * problem.gamma_terms[row];
}

template <class Holds>
std::vector<Index> contacts_that(const ContactProblem& problem, Holds&& holds) {
  std::vector<Index> found;
  for (Index i = 0; i < problem.size(); ++i)
    if (holds(i)) found.push_back(i);
  return found;
}

void require_one(const ContactProblem& problem, const std::vector<Index>& found, std::string_view law) {
  constexpr std::size_t kShown = 4;
  if (found.size() < 2) return;
  std::string names;
  for (std::size_t k = 0; k < std::min(kShown, found.size()); ++k)
    names += (k == 0 ? "'" : ", '") + problem.contacts()[found[k]].name + "'";
  if (found.size() > kShown) names += fmt::format(" and {} more", found.size() - kShown);
  throw InputError("contacts", fmt::format("{} close at once; {} is a law of one closing contact", names, law));
}

std::optional<ClosingContact> only_one(const ContactProblem& problem, const std::vector<Index>& found,
                                       std::string_view law) {
  require_one(problem, found, law);
  if (found.empty()) return std::nullopt;
  return seen_alone(problem, found[0]);
}

}  // namespace

ClosingContact seen_alone(const ContactProblem& problem, Index i) {
  const Contact& contact = problem.contacts()[i];
  ClosingContact result;
  result.contact = i;
  result.row = problem.row[i];
  result.tangents = contact.tangents;
  result.B.setZero();
  result.c_minus.setZero();
  result.c.setZero();
  for (Index a = 0; a <= result.tangents; ++a) {
    const Index row = result.row + a;
    result.c_minus[a] = problem.gamma_minus[row];
    const bool rounding = std::abs(problem.gamma_free[row]) <= kRounding * problem.gamma_terms[row];
    result.c[a] = rounding ? 0 : problem.gamma_free[row];
    for (Index b = 0; b <= a; ++b)
      result.B(a, b) = result.B(b, a) = problem.G.coeff(result.row + std::max(a, b), result.row + std::min(a, b));
  }
  result.slip = result.c_t();
  result.e = contact.e;
  if (contact.e_of && contact.e_of->reads_work()) result.e_of = contact.e_of.get();
  result.mu = contact.mu;
  result.mu_s = contact.static_friction();
  return result;
}

std::optional<Eigen::Vector3d> ClosingContact::impulse_of_ratio(const Eigen::Vector2d& ratio) const {
  const double opens = B_nn() + B_tn().dot(ratio), terms = B_nn() + std::abs(B_tn().dot(ratio));
  if (!(opens > kPresses * terms)) return std::nullopt;
  const double P_n = (rebound() - c_n()) / opens;
  return Eigen::Vector3d(P_n, ratio[0] * P_n, ratio[1] * P_n);
}

bool is_tangential_impact(const ClosingContact& contact) {
  const double slip = contact.c_t().norm();
  if (contact.c_n() != 0 || slip == 0) return false;
  const double pressed = contact.mu * contact.B_tn().dot(contact.c_t()) / slip;
  return pressed - contact.B_nn() > kPresses * (pressed + contact.B_nn());
}

std::vector<Index> closing_contacts(const ContactProblem& problem) {
  return contacts_that(problem, [&](Index i) { return closes(problem, i); });
}

std::optional<ClosingContact> closing_contact(const ContactProblem& problem, std::string_view law) {
  require_restitution_in_unit_interval(problem, law);
  return only_one(problem, closing_contacts(problem), law);
}

std::optional<ClosingContact> closing_or_tangential_contact(const ContactProblem& problem, std::string_view law) {
  if (std::optional<ClosingContact> closing = closing_contact(problem, law)) return closing;
  const auto tangential = [&](Index i) { return is_tangential_impact(seen_alone(problem, i)); };
  return only_one(problem, contacts_that(problem, tangential), law);
}

std::vector<Index> tangential_impacts_among(const ContactProblem& problem, const std::vector<Index>& contacts) {
  std::vector<Index> found;
  for (const Index i : contacts)
    if (is_tangential_impact(seen_alone(problem, i))) found.push_back(i);
  return found;
}

Vector to_rows(const ContactProblem& problem, const ClosingContact& contact, const Eigen::Vector3d& P) {
  Vector rows = Vector::Zero(problem.gamma_minus.size());
  rows.segment(contact.row, 1 + contact.tangents) = P.head(1 + contact.tangents);
  return rows;
}

Impulses no_impact(const ContactProblem& problem) {
  Impulses impulses;
  impulses.Lambda = Vector::Zero(problem.gamma_minus.size());
  return impulses;
}

Impulses impulse_at(const ContactProblem& problem, const ClosingContact& contact, const Eigen::Vector3d& P,
                    std::string_view mode) {
  Impulses impulses;
  impulses.Lambda = to_rows(problem, contact, P);
  impulses.mode = mode;
  return impulses;
}

Impulses held_fast(const ContactProblem& problem, const ClosingContact& contact, std::string_view law) {
  Impulses impulses;
  impulses.status = Status::no_solution;
  impulses.message = fmt::format("{}: no impulse exists; contact '{}' closes and is held fast by joints or wedged", law,
                                 problem.contacts()[contact.contact].name);
  return impulses;
}

}  // namespace carom::one_contact

#include "carom/laws/one_contact/groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace carom::one_contact {
namespace {

constexpr double kMovesNot = 1e-13;  // of an entry of G, relative to those of its diagonal: it is rounding

/// The contact of every row.
std::vector<Index> contacts_of_rows(const ContactProblem& problem) {
  std::vector<Index> owner(static_cast<std::size_t>(problem.gamma_minus.size()));
  for (Index i = 0; i < problem.size(); ++i)
    for (int t = 0; t <= problem.contacts()[i].tangents; ++t) owner[problem.row[i] + t] = i;
  return owner;
}

template <class T>
std::vector<T> some_of(const std::vector<T>& all, const std::vector<Index>& chosen) {
  std::vector<T> result;
  for (const Index i : chosen) result.push_back(all[i]);
  return result;
}

}  // namespace

std::vector<std::vector<Index>> groups_of(const ContactProblem& problem) {
  std::vector<Index> parent(static_cast<std::size_t>(problem.size()));
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const std::vector<Index> owner = contacts_of_rows(problem);
  const Vector size = problem.G.diagonal().cwiseMax(0).cwiseSqrt();
  for (Index column = 0; column < problem.G.outerSize(); ++column)
    for (SparseMatrix::InnerIterator entry(problem.G, column); entry; ++entry) {
      if (std::abs(entry.value()) <= kMovesNot * size[column] * size[entry.row()]) continue;
      const Index a = root(owner[column]), b = root(owner[entry.row()]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  std::vector<std::vector<Index>> groups;
  std::vector<Index> number(parent.size(), -1);
  for (Index i = 0; i < problem.size(); ++i) {
    Index& known = number[root(i)];
    if (known < 0) {
      known = static_cast<Index>(groups.size());
      groups.emplace_back();
    }
    groups[known].push_back(i);
  }
  return groups;
}

ContactGroup::ContactGroup(const ContactProblem& seen, std::vector<Index> contacts) : contacts_(std::move(contacts)) {
  impact_ = *seen.impact;
  impact_.contacts = some_of(seen.impact->contacts, contacts_);
  if (!seen.evaluated.empty()) reduced_.evaluated = some_of(seen.evaluated, contacts_);
  for (std::vector<Contact>* own : {&impact_.contacts, &reduced_.evaluated})
    for (Contact& contact : *own) contact.E0 = 0;
  for (const Index i : contacts_) {
    reduced_.row.push_back(static_cast<Index>(rows_.size()));
    for (int t = 0; t <= seen.contacts()[i].tangents; ++t) rows_.push_back(seen.row[i] + t);
  }
  const Index rows = static_cast<Index>(rows_.size());
  SparseMatrix choice(seen.gamma_minus.size(), rows);
  for (Index j = 0; j < rows; ++j) choice.insert(rows_[j], j) = 1;
  impact_.W = seen.impact->W * choice;
  if (impact_.drift.size() > 0) impact_.drift = Vector(seen.impact->drift(rows_));
  reduced_.impact = &impact_;
  reduced_.G = SparseMatrix(choice.transpose() * seen.G) * choice;
  reduced_.gamma_minus = seen.gamma_minus(rows_);
  reduced_.gamma_free = seen.gamma_free(rows_);
  reduced_.gamma_terms = seen.gamma_terms(rows_);
  reduced_.joints = seen.joints;
  reduced_.options = seen.options;
  reduced_.has = seen.has;
  reduced_.options.guess = {};
}

void ContactGroup::disturb(const Vector& speeds) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) reduced_.gamma_free[reduced_.row[i]] -= speeds[contacts_[i]];
}

void ContactGroup::add_rows(const Vector& own, Vector& all) const {
  if (own.size() == static_cast<Index>(rows_.size())) all(rows_) += own;
}

void ContactGroup::add_contacts(const Vector& own, Vector& all) const {
  if (own.size() == static_cast<Index>(contacts_.size())) all(contacts_) += own;
}

}  // namespace carom::one_contact

#include "carom/model/impact_problem.h"

#include <algorithm>
#include <numeric>

#include "carom/numerics/decompositions.h"
#include "carom/numerics/sparse_columns.h"

namespace carom {
namespace {

constexpr std::size_t kManyOf = 8;  // a share of all bodies from which on a table of them is cheaper than searching

/// A sparse matrix with only some of its rows, renumbered.
SparseMatrix rows_of(const SparseMatrix& A, const std::vector<Index>& rows) {
  std::vector<Index> places;  // of all rows, where there are many to look up
  if (A.nonZeros() >= A.rows()) {
    places.resize(static_cast<std::size_t>(A.rows()));
    for (std::size_t i = 0; i < rows.size(); ++i) places[rows[i]] = static_cast<Index>(i);
  }
  const auto place = [&](Index row) {
    return places.empty() ? std::lower_bound(rows.begin(), rows.end(), row) - rows.begin() : places[row];
  };
  SparseMatrix result(static_cast<Index>(rows.size()), A.cols());
  result.reserve(A.nonZeros());
  for (Index j = 0; j < A.outerSize(); ++j) {
    result.startVec(j);
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
      result.insertBack(place(entry.row()), j) = entry.value();
  }
  result.finalize();
  return result;
}

std::vector<Index> velocities_of(const Model& model, const std::vector<int>& bodies) {
  const Index each = model.dimension() == Dimension::line ? 1 : model.dimension() == Dimension::plane ? 3 : 6;
  std::vector<Index> rows;
  for (const int body : bodies)
    for (Index i = 0; i < each; ++i) rows.push_back(model.first_velocity(body) + i);
  return rows;
}

std::vector<int> joints_of(const Model& model, const std::vector<int>& bodies) {
  std::vector<int> joints;
  for (const int body : bodies) {
    const Model::Group& group = model.group(body);
    if (group.bodies.front() == body) joints.insert(joints.end(), group.joints.begin(), group.joints.end());
  }
  return joints;
}

struct Assembled {
  IslandProblem island;  // with frame zero
  Vector joint_drift;
};

std::vector<Contact> contacts_of(const Model& model, const ContactRules& rules, const State& state,
                                 const std::vector<ContactPair>& pairs, bool smooth) {
  const int tangents = static_cast<int>(tangents_of(Vector3::UnitX(), model.dimension()).cols());
  std::vector<Contact> contacts;
  contacts.reserve(pairs.size());
  for (const ContactPair& pair : pairs) {
    Contact& contact = contacts.emplace_back(rules.contact(state, pair));
    if (smooth) {
      contact.mu = contact.e_t = 0;
      contact.mu_2 = contact.e_t_2 = std::nullopt;
    }
    contact.tangents = contact.mu > 0 || contact.e_t != 0 || contact.e_t_2 ? tangents : 0;
    if (tangents == 0) contact.mu = 0;
  }
  return contacts;
}

Assembled assemble(const Model& model, const ContactRules& rules, const State& state, const Island& island,
                   bool smooth) {
  IslandProblem result;
  result.rows = velocities_of(model, island.bodies);
  result.problem.contacts = contacts_of(model, rules, state, island.pairs, smooth);
  std::vector<char> along;
  for (const Contact& contact : result.problem.contacts) along.push_back(contact.tangents > 0);
  const ContactRows directions = contact_rows(model, state, island.pairs, along);
  JointRows joints = joint_rows(model, state, joints_of(model, island.bodies));
  ImpactProblem& problem = result.problem;
  problem.M = model.mass_matrix(island.bodies);
  problem.W = rows_of(directions.W, result.rows);
  problem.J = rows_of(joints.J, result.rows);
  problem.u_minus = state.u(result.rows);
  problem.drift = directions.drift;
  result.frame = Vector::Zero(problem.u_minus.size());
  return {std::move(result), std::move(joints.drift)};
}

void measure_from(Vector frame, IslandProblem& island) {
  island.problem.u_minus -= frame;
  island.problem.drift += island.problem.W.transpose() * frame;
  island.frame = std::move(frame);
}

}  // namespace

std::vector<Island> islands(const Model& model, const std::vector<ContactPair>& pairs) {
  const auto group_of = [&](int body) {
    return model.first_velocity(body) < 0 ? -1 : model.group(body).bodies.front();
  };
  std::vector<int> groups;  // of bodies, by their first one, ascending
  for (const ContactPair& pair : pairs)
    for (const int body : {pair.parts.body_a, pair.parts.body_b})
      if (const int group = group_of(body); group >= 0) groups.push_back(group);
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  std::vector<int> parent(groups.size());
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<int> places;  // of all bodies, where there are many to look up
  if (pairs.size() >= model.bodies().size() / kManyOf) {
    places.resize(model.bodies().size());
    for (std::size_t i = 0; i < groups.size(); ++i) places[groups[i]] = static_cast<int>(i);
  }
  const auto root = [&](int group) {
    int i = places.empty() ? static_cast<int>(std::lower_bound(groups.begin(), groups.end(), group) - groups.begin())
                           : places[group];
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const ContactPair& pair : pairs) {
    const int a = group_of(pair.parts.body_a), b = group_of(pair.parts.body_b);
    if (a < 0 || b < 0) continue;
    const int first = root(a), second = root(b);
    parent[std::max(first, second)] = std::min(first, second);
  }
  std::vector<int> number(groups.size(), -1);  // of the island, by its root
  std::vector<Island> result;
  const auto island = [&](int group) -> Island& {
    int& known = number[root(group)];
    if (known < 0) {
      known = static_cast<int>(result.size());
      result.emplace_back();
    }
    return result[known];
  };
  for (const int group : groups) {
    const std::vector<int>& added = model.group(group).bodies;
    std::vector<int>& bodies = island(group).bodies;
    bodies.insert(bodies.end(), added.begin(), added.end());
  }
  for (const ContactPair& pair : pairs)
    island(std::max(group_of(pair.parts.body_a), group_of(pair.parts.body_b))).pairs.push_back(pair);
  for (Island& one : result) std::sort(one.bodies.begin(), one.bodies.end());
  return result;
}

IslandProblem impact_problem(const Model& model, const ContactRules& rules, const State& state, const Island& island,
                             bool smooth) {
  auto [result, drift] = assemble(model, rules, state, island, smooth);
  if (drift.size() > 0 && drift.cwiseAbs().maxCoeff() > 0)
    measure_from(numerics::CompleteOrthogonal(Matrix(result.problem.J).transpose()).solve(-drift), result);
  return result;
}

IslandProblem step_problem(const Model& model, const ContactRules& rules, const State& state, const Island& island,
                           const Vector& u_free, const Vector& across) {
  IslandProblem result = assemble(model, rules, state, island, false).island;
  result.problem.p = result.problem.M * Vector(u_free(result.rows) - state.u(result.rows));
  if (result.problem.J.cols() > 0) measure_from(across(result.rows), result);
  return result;
}

IslandProblem named_problem(const Model& model, const ContactRules& rules, const State& state, const Island& island) {
  IslandProblem result;
  result.rows = velocities_of(model, island.bodies);
  result.problem.contacts = contacts_of(model, rules, state, island.pairs, false);
  result.problem.u_minus = state.u(result.rows);
  return result;
}

}  // namespace carom

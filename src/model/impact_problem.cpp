#include "carom/model/impact_problem.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "carom/numerics/decompositions.h"
#include "carom/numerics/sparse_columns.h"

namespace carom {
namespace {

/// A sparse matrix with only some of its rows, renumbered.
SparseMatrix rows_of(const SparseMatrix& A, const std::vector<Index>& rows) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(A.nonZeros()));
  for (Index j = 0; j < A.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      const auto place = std::lower_bound(rows.begin(), rows.end(), entry.row());
      entries.emplace_back(place - rows.begin(), j, entry.value());
    }
  return numerics::by_columns(static_cast<Index>(rows.size()), A.cols(), entries);
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

Assembled assemble(const Model& model, const ContactRules& rules, const State& state, const Island& island,
                   bool smooth) {
  IslandProblem result;
  result.rows = velocities_of(model, island.bodies);
  const int tangents = static_cast<int>(tangents_of(Vector3::UnitX(), model.dimension()).cols());
  std::vector<char> along;
  for (const ContactPair& pair : island.pairs) {
    Contact& contact = result.problem.contacts.emplace_back(rules.contact(state, pair));
    if (smooth) contact.mu = contact.e_t = 0;
    along.push_back(tangents > 0 && (contact.mu > 0 || contact.e_t != 0));
    contact.tangents = along.back() ? tangents : 0;
    if (tangents == 0) contact.mu = 0;
  }
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
  std::map<int, int> parent;  // of groups of bodies, by their first one
  const auto root = [&](int group) {
    parent.try_emplace(group, group);
    while (parent[group] != group) group = parent[group];
    return group;
  };
  const auto group_of = [&](int body) {
    return model.first_velocity(body) < 0 ? -1 : model.group(body).bodies.front();
  };
  for (const ContactPair& pair : pairs) {
    const int a = group_of(pair.parts.body_a), b = group_of(pair.parts.body_b);
    if (a >= 0) root(a);
    if (b >= 0) root(b);
    if (a < 0 || b < 0) continue;
    const int first = root(a), second = root(b);
    parent[std::max(first, second)] = std::min(first, second);
  }
  std::map<int, Island> found;
  for (const auto& [group, above] : parent) {
    std::vector<int>& bodies = found[root(group)].bodies;
    const std::vector<int>& added = model.group(group).bodies;
    bodies.insert(bodies.end(), added.begin(), added.end());
  }
  for (const ContactPair& pair : pairs)
    found[root(std::max(group_of(pair.parts.body_a), group_of(pair.parts.body_b)))].pairs.push_back(pair);
  std::vector<Island> result;
  for (auto& [group, island] : found) {
    std::sort(island.bodies.begin(), island.bodies.end());
    result.push_back(std::move(island));
  }
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

}  // namespace carom

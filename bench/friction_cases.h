#pragma once

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "carom/model/impact_problem.h"
#include "carom/numerics/cone_problem.h"
#include "carom/scene/scene.h"
#include "carom/simulate/contact_search.h"

namespace carom::bench {

/// Contacts with friction in space, three rows each: w = G x + q.
struct FrictionCase {
  SparseMatrix G;
  Vector q;
  std::vector<numerics::FrictionCone> cones;
};

constexpr double kFriction = 0.5;

inline std::vector<numerics::FrictionCone> cones(Index n) {
  std::vector<numerics::FrictionCone> result;
  for (Index i = 0; i < n; ++i) result.push_back({.row = 3 * i, .tangents = 2, .mu = kFriction});
  return result;
}

/// Every contact feels every other; directions and velocities are random.
inline FrictionCase dense_random_friction(Index n) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  Matrix H(3 * n + n / 2, 3 * n);
  for (double& entry : H.reshaped()) entry = normal(random);
  Vector u(H.rows());
  for (double& velocity : u) velocity = normal(random);
  return {Matrix(H.transpose() * H).sparseView(), H.transpose() * u, cones(n)};
}

/// Equal spheres in a row that touch; the first comes in obliquely and spins.
inline FrictionCase chain_friction(Index n) {
  const Index bodies = n + 1;
  Vector inverse(6 * bodies), u = Vector::Zero(6 * bodies);
  for (Index i = 0; i < bodies; ++i) inverse.segment(6 * i, 6) << 1, 1, 1, 2.5, 2.5, 2.5;
  u.head(6) << 1, 0.3, -0.2, 0.5, 1, -1;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i)
    for (const auto& [body, sign] : {std::pair(i, -1.0), std::pair(i + 1, 1.0)}) {
      entries.emplace_back(6 * body, 3 * i, sign);
      entries.emplace_back(6 * body + 1, 3 * i + 1, sign);  // v + omega x r, r along x
      entries.emplace_back(6 * body + 5, 3 * i + 1, -1);
      entries.emplace_back(6 * body + 2, 3 * i + 2, sign);
      entries.emplace_back(6 * body + 4, 3 * i + 2, 1);
    }
  SparseMatrix W(6 * bodies, 3 * n);
  W.setFromTriplets(entries.begin(), entries.end());
  const SparseMatrix G = W.transpose() * inverse.asDiagonal() * W;
  return {G, W.transpose() * u, cones(n)};
}

/// What a time step of a scene at its start asks of its contacts, where all smooth forces are gravity.
inline FrictionCase step_of(const std::string& toml, double h) {
  const scene::Scene scene = scene::parse_scene(toml, "bench.toml");
  const Model model(scene.description);
  const State state = model.state(scene.placement);
  const ContactRules rules(model);
  const simulate::ContactSearch search(model, rules);
  std::vector<int> bodies;
  Vector p = Vector::Zero(model.velocities());
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    if (model.first_velocity(body) < 0) continue;
    bodies.push_back(body);
    p.segment<3>(model.first_velocity(body)) = h * model.bodies()[body].mass * scene.description.gravity;
  }
  IslandProblem island = impact_problem(model, rules, state, {search.touching(state, 1e-8), bodies});
  island.problem.p = p;
  const ContactProblem reduced = reduce(island.problem);
  return {reduced.G, reduced.gamma_free, cones(reduced.size())};
}

/// A time step of n x n x n spheres at rest in a box that they fill.
inline FrictionCase box_of_spheres(Index n) {
  const double half = 0.1 * static_cast<double>(n);
  const std::string count = std::to_string(n);
  std::string toml =
      "dimension = 3\nlaw = \"newton\"\nduration = 1\ngravity = 9.81\ncontact = {mu = 0.5}\n[[grid]]\n"
      "name = \"ball\"\ncount = [" +
      count + ", " + count + ", " + count +
      "]\nspacing = [0.2, 0.2, 0.2]\nmass = 1\nshape = {type = \"sphere\", radius = 0.1}\nposition = [" +
      std::to_string(0.1 - half) + ", " + std::to_string(0.1 - half) + ", 0.1]\n[[wall]]\nshape = \"plane\"\n";
  for (const double sign : {1.0, -1.0}) {
    const std::string normal = sign > 0 ? "1" : "-1", at = std::to_string(-sign * half);
    toml += "[[wall]]\nshape = {type = \"plane\", normal = [" + normal + ", 0, 0]}\nposition = [" + at + ", 0, 0]\n";
    toml += "[[wall]]\nshape = {type = \"plane\", normal = [0, " + normal + ", 0]}\nposition = [0, " + at + ", 0]\n";
  }
  return step_of(toml, 1e-3);
}

/// A time step of n boxes that stand on each other, four contacts between two of them: G has rank 6 n of 12 n rows.
inline FrictionCase tower(Index n) {
  return step_of(fmt::format(R"(
    dimension = 3
    gravity = 9.81
    duration = 1
    law = "newton"
    contact = {{mu = {}}}
    [[chain]]
    name = "box"
    count = {}
    shape = {{type = "box", size = [0.3, 0.2, 0.1]}}
    mass = 1
    position = [0, 0, 0.05]
    direction = [0, 0, 1]
    [[wall]]
    shape = "plane")",
                             kFriction, n),
                 5e-3);
}

/// A time step of an arch of n stones that stands on the ground, half a circle, four contacts between two of them.
inline FrictionCase arch(Index n) {
  constexpr double kInner = 0.8, kOuter = 1, kHalfDepth = 0.1;  // [m]
  std::string toml = fmt::format(
      "dimension = 3\ngravity = 9.81\nduration = 1\nlaw = \"newton\"\ncontact = {{mu = {}}}\n[[wall]]\n"
      "shape = \"plane\"\n",
      kFriction);
  for (Index i = 0; i < n; ++i) {
    toml += "[[body]]\ndensity = 2500\nshape = {type = \"polytope\", corners = [";
    for (const Index side : {i, i + 1})
      for (const double radius : {kInner, kOuter})
        for (const double depth : {-kHalfDepth, kHalfDepth}) {
          const double angle = std::numbers::pi * static_cast<double>(side) / static_cast<double>(n);
          toml += fmt::format("[{:.15g}, {:.15g}, {:.15g}], ", -radius * std::cos(angle), depth,
                              side == 0 || side == n ? 0 : radius * std::sin(angle));
        }
    toml += "]}\n";
  }
  return step_of(toml, 2e-3);
}

}  // namespace carom::bench

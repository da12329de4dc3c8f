#include "carom/laws/friction_complementarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "carom/numerics/cone_contradiction.h"
#include "carom/numerics/cone_problem.h"
#include "carom/numerics/friction_modes.h"
#include "carom/numerics/lcp.h"

namespace carom {
namespace {

constexpr double kSolved = 1e-11;       // relative error of the velocities that the solver may leave without saying so
constexpr double kNearlySolved = 1e-7;  // of the equations, relative: an answer that says so
constexpr double kMargin = 10;          // of its residual
constexpr double kWorkToCount = 1e7, kWorkIfLost = 1e8, kWorkToList = 1e9;  // of the search: 10 ms, 0.1 s, 1 s
constexpr double kWorkInSpace = 5e7;
constexpr int kSectors[] = {8, 24};      // into which slip in space is divided
constexpr double kSameOutcome = 1e-7;    // of velocities: relative difference of one solution found in two ways
constexpr double kEqualEnergy = 1e-9;    // of two solutions, in units of the impact
constexpr std::size_t kMostIfLost = 40;  // planar contacts whose modes are searched where iterations found nothing
constexpr Index kMostToProve = 200;      // contacts: that there is no solution is looked for among so many
constexpr double kLetsGo = 1e-9;         // of the terms of velocities: slip that holding friction did not prevent
constexpr double kNoCoupling = 1e-13;    // of G between normals and tangents, relative to its diagonal

std::vector<numerics::FrictionCone> cones_of(const ContactProblem& problem) {
  std::vector<numerics::FrictionCone> cones;
  cones.reserve(problem.row.size());
  for (std::size_t i = 0; i < problem.row.size(); ++i) {
    const Contact& contact = problem.contacts()[i];
    cones.push_back({.row = problem.row[i], .tangents = contact.tangents, .mu = contact.mu});
  }
  return cones;
}

bool has_holding_friction(const ContactProblem& problem) {
  const std::vector<Contact>& all = problem.contacts();
  return std::any_of(all.begin(), all.end(), [](const Contact& contact) {
    return contact.tangents > 0 && contact.static_friction() > contact.mu;
  });
}

/// Contacts that slip although mu_s held them let go: they have mu from now on. True if there are any.
bool let_go(const ContactProblem& problem, const Vector& w, double slip, std::vector<numerics::FrictionCone>& cones) {
  bool some = false;
  for (std::size_t i = 0; i < cones.size(); ++i) {
    const Contact& contact = problem.contacts()[i];
    if (contact.tangents == 0 || !(cones[i].mu > contact.mu)) continue;
    if (w.segment(cones[i].row + 1, contact.tangents).norm() <= slip) continue;
    cones[i].mu = contact.mu;
    some = true;
  }
  return some;
}

/// With holding friction mu_s at all contacts first; those that slip all the same have mu. Each round lets some go, so
/// there are no more rounds than contacts, and what is found sticks within mu_s or slips with mu.
numerics::ConeSolution solve_held(const ContactProblem& problem, const Vector& q, const numerics::ConeOptions& options,
                                  std::vector<numerics::FrictionCone>& cones) {
  if (!has_holding_friction(problem)) return numerics::solve_cone_problem(problem.G, q, cones, options);
  for (std::size_t i = 0; i < cones.size(); ++i)
    cones[i].mu = std::max(cones[i].mu, problem.contacts()[i].static_friction());
  const double slip = std::max(kLetsGo, kMargin * options.accuracy) * options.terms.maxCoeff();
  numerics::ConeSolution found = numerics::solve_cone_problem(problem.G, q, cones, options);
  while (found.x.size() > 0 && let_go(problem, found.w, slip, cones))
    found = numerics::solve_cone_problem(problem.G, q, cones, options);
  return found;
}

/// The contacts that take part in a contradiction: no impulses within their cones open them all.
Impulses pressed_shut(const ContactProblem& problem, const Vector& ray, std::string_view law) {
  constexpr double kTakesPart = 1e-6;
  Impulses impulses;
  impulses.status = Status::no_solution;
  impulses.message =
      fmt::format("{}: no impulses within the friction cones give contacts {} the velocities they ask for", law,
                  named(problem, ray, kTakesPart).names);
  return impulses;
}

/// Whether the equations could not be solved because they have no solution: then what says so.
std::optional<Impulses> without_solution(const ContactProblem& problem, const Vector& q, const Vector& terms,
                                         const std::vector<numerics::FrictionCone>& cones, std::string_view law) {
  const NormalProblem normal(problem);
  const numerics::LcpSolution frictionless =
      numerics::solve_lcp(normal.G(), Vector(q(problem.row)), Vector(terms(problem.row)));
  if (frictionless.status == numerics::LcpStatus::infeasible) {
    Impulses none = contradiction(problem, frictionless.ray, law);
    if (none.status == Status::no_solution) return none;
  }
  if (problem.size() <= kMostToProve)
    if (const std::optional<Vector> ray = numerics::cone_contradiction(problem.G, q, cones, terms))
      return pressed_shut(problem, *ray, law);
  return std::nullopt;
}

}  // namespace

Impulses impulses_with_friction(const ContactProblem& problem, const Vector& gamma_free, const Vector& gamma_terms,
                                const Vector& rebound, const Vector& least, std::string_view law) {
  std::vector<numerics::FrictionCone> cones = cones_of(problem);
  Vector q = gamma_free, terms = gamma_terms;
  for (std::size_t i = 0; i < problem.row.size(); ++i) {
    const Index c = static_cast<Index>(i);
    if (least.size() > 0) cones[i].least = least[c];
    q[problem.row[i]] += rebound[c];
    terms[problem.row[i]] += std::abs(rebound[c]);
  }
  const double accuracy = problem.options.accuracy;
  // What a step before carried is of the first phase: a second one that began with it as well would double it from step
  // to step where contacts can press each other (a ladder between floor and wall).
  const Vector guess = least.size() > 0 ? Vector() : problem.options.guess;
  Watch* const watch = problem.options.watch;
  numerics::ConeSolution cone =
      solve_held(problem, q, {.terms = terms, .accuracy = accuracy, .guess = guess, .watch = watch}, cones);
  const bool cancelled = watch != nullptr && watch->is_cancelled();
  Impulses impulses;
  const double unrounded_residual = std::max(cone.residual, cone.unrounded_residual);
  const double near_enough = std::max(kNearlySolved, accuracy);  // and it says how near: better than no answer
  if (!cone.solved || unrounded_residual > near_enough) {
    if (unrounded_residual > near_enough) {
      if (!cancelled)
        if (std::optional<Impulses> none = without_solution(problem, q, terms, cones, law)) return *std::move(none);
      impulses.status = Status::iteration_limit;
    }
    impulses.message =
        fmt::format("{}: the contacts' equations with friction are solved to {:.1g} only, after {} linear solves{}",
                    law, unrounded_residual, cone.iterations, cancelled ? ", when it was told to stop" : "");
  }
  // The solver's accuracy is relative to the terms that velocities are summed from, along the contacts as well: bodies
  // that move together, or slip fast, have large ones. What is claimed is relative to the normal velocities.
  const double speed = std::max(Vector(q(problem.row)).cwiseAbs().maxCoeff(),
                                Vector(problem.gamma_minus(problem.row)).cwiseAbs().maxCoeff());
  const double together = speed > 0 ? std::max(1.0, terms.maxCoeff() / speed) : 1;
  impulses.accuracy = std::max(kSolved, together * std::max(accuracy, kMargin * unrounded_residual));
  impulses.residual = unrounded_residual;
  impulses.Lambda = std::move(cone.x);
  impulses.unique.impulse = impulses.unique.tangential_impulse = cone.unique;
  impulses.gamma_bound = -rebound;
  if (least.size() > 0) impulses.Lambda_bound = least;
  impulses.cost.iterations = cone.iterations;
  return impulses;
}

namespace {

/// Whether friction changes no normal velocity: then the normals are a convex problem, and with their impulses known
/// the tangents are another, so that the velocities are unique.
bool is_decoupled(const ContactProblem& problem) {
  std::vector<char> is_normal(static_cast<std::size_t>(problem.G.cols()), 0);
  for (const Index row : problem.row) is_normal[row] = 1;
  const double largest = problem.G.diagonal().maxCoeff();
  for (const Index row : problem.row)
    for (SparseMatrix::InnerIterator entry(problem.G, row); entry; ++entry)
      if (!is_normal[entry.row()] && std::abs(entry.value()) > kNoCoupling * largest) return false;
  return true;
}

/// What is known without trying the modes.
Impulses unproved(const ContactProblem& problem, Impulses found) {
  const bool alone = bool(found.unique.impulse);  // no other impulses nearby
  found.unique.u_plus = is_decoupled(problem) && !has_holding_friction(problem) ? Claim(true) : Claim::unknown();
  found.unique.impulse = found.unique.tangential_impulse =
      alone && found.unique.u_plus ? Claim(true) : Claim::unknown();
  return found;
}

/// Of the solutions of least energy the one with the larger u+, entry by entry: mirror images differ in nothing else.
const numerics::ModeSet& choose(const ContactProblem& problem, const std::vector<numerics::ModeSet>& sets) {
  const ImpactProblem& impact = *problem.impact;
  const auto velocity = [&](const numerics::ModeSet& set) { return impact.M.solve(Vector(impact.W * set.x)); };
  const numerics::ModeSet* chosen = &sets.front();
  Vector best = velocity(*chosen);
  for (const numerics::ModeSet& set : sets) {
    if (set.energy > sets.front().energy + kEqualEnergy * (1 + std::abs(sets.front().energy))) break;
    const Vector other = velocity(set);
    const double speed = std::max(best.cwiseAbs().maxCoeff(), other.cwiseAbs().maxCoeff());
    for (Index i = 0; i < other.size(); ++i) {
      if (std::abs(other[i] - best[i]) <= kSameOutcome * speed) continue;
      if (other[i] > best[i]) {
        chosen = &set;
        best = other;
      }
      break;
    }
  }
  return *chosen;
}

/// A solution that the modes found instead of the iteration.
void put(const numerics::ModeSet& solution, const ContactProblem& problem, const Vector& e, Impulses& found) {
  found.status = Status::solved;
  found.message.clear();
  found.residual = 0;
  found.accuracy = std::max(kSolved, found.accuracy == 0 ? 0 : problem.options.accuracy);
  found.Lambda = solution.x;
  if (e.size() > 0) found.Lambda_bound = (e.array() + 1) * Vector(solution.first(problem.row)).array();
}

Impulses without_modes(const Impulses& found, std::string_view law) {
  Impulses none;
  none.status = Status::no_solution;
  none.cost = found.cost;
  none.message = fmt::format("{}: every combination of open, sticking and slipping contacts contradicts itself", law);
  return none;
}

/// The solution near a point, if there is one.
std::optional<numerics::ModeSet> near(const numerics::ModeProblem& problem, const numerics::ModeSet& point) {
  const auto is_solved = [](const numerics::ConeSolution& cone) {
    return cone.solved && std::max(cone.residual, cone.unrounded_residual) <= kSolved;
  };
  const numerics::ConeSolution first =
      numerics::solve_cone_problem(problem.A, problem.q, problem.cones, {.terms = problem.terms, .guess = point.first});
  if (!is_solved(first)) return std::nullopt;
  numerics::ModeSet result;
  result.first = result.x = first.x;
  if (problem.e.size() == 0) return result;
  std::vector<numerics::FrictionCone> cones = problem.cones;
  for (std::size_t i = 0; i < cones.size(); ++i)
    cones[i].least = problem.e[static_cast<Index>(i)] * first.x[cones[i].row];
  const Vector terms = problem.terms + (first.w - problem.q).cwiseAbs();
  const numerics::ConeSolution second =
      numerics::solve_cone_problem(problem.A, first.w, cones, {.terms = terms, .guess = point.x - point.first});
  if (!is_solved(second)) return std::nullopt;
  result.x += second.x;
  return result;
}

/// What linearised cones tell of contacts in space whose equations the iteration did not solve.
Impulses found_in_space(const ContactProblem& problem, const numerics::ModeProblem& all, Impulses found,
                        std::string_view law) {
  for (const int sectors : kSectors) {
    const numerics::FrictionModes modes = numerics::friction_modes(all, kWorkInSpace, false, sectors);
    if (modes.sets.empty() && modes.complete) return without_modes(found, law);
    for (const numerics::ModeSet& set : modes.sets)
      if (const std::optional<numerics::ModeSet> solution = near(all, set)) {
        put(*solution, problem, all.e, found);
        return unproved(problem, std::move(found));
      }
    if (modes.sets.empty()) break;
  }
  return unproved(problem, std::move(found));
}

}  // namespace

Impulses among_others(const ContactProblem& problem, const Vector& rebound, const Vector& e, Impulses found,
                      std::string_view law) {
  const std::vector<numerics::FrictionCone> cones = cones_of(problem);
  const Others others = problem.options.others;
  if (found.status == Status::no_solution) return found;
  const bool lost =
      found.status == Status::iteration_limit;  // then the modes may find one, or prove that there is none
  if (has_holding_friction(problem))
    return unproved(problem, std::move(found));  // what sticks could often slip as well
  if (others == Others::ignored || !(numerics::has_few_modes(cones) || (lost && cones.size() <= kMostIfLost)))
    return unproved(problem, std::move(found));
  Vector q = problem.gamma_free, terms = problem.gamma_terms;
  for (std::size_t i = 0; i < problem.row.size(); ++i) {
    q[problem.row[i]] += rebound[static_cast<Index>(i)];
    terms[problem.row[i]] += std::abs(rebound[static_cast<Index>(i)]);
  }
  const bool list = others == Others::listed;
  const numerics::ModeProblem all = {problem.G, q, terms, cones, problem.gamma_free, e};
  if (lost && !numerics::has_few_modes(cones, kMostIfLost)) return found_in_space(problem, all, std::move(found), law);
  numerics::FrictionModes modes = numerics::friction_modes(all,
                                                           list   ? kWorkToList
                                                           : lost ? kWorkIfLost
                                                                  : kWorkToCount,
                                                           list);
  if (!modes.complete) return unproved(problem, std::move(found));
  if (modes.sets.empty()) {
    if (found.status == Status::solved) return unproved(problem, std::move(found));  // degenerate but for rounding
    return without_modes(found, law);
  }
  const numerics::ModeSet& chosen = choose(problem, modes.sets);
  const Vector apart = problem.G * Vector(chosen.x - found.Lambda);
  const double speed = std::max(q.cwiseAbs().maxCoeff(), Vector(problem.G * chosen.x).cwiseAbs().maxCoeff());
  const bool settled = found.status == Status::solved && modes.one_normal && modes.one_tangential &&
                       apart.cwiseAbs().maxCoeff() <= kSameOutcome * speed;
  if (!settled) {  // the iteration's digits are better, but not where there was a choice
    put(chosen, problem, e, found);
  }
  found.unique = {modes.one_velocity, modes.one_normal, modes.one_tangential};
  if (!list) return found;
  for (const numerics::ModeSet& set : modes.sets) {
    SolutionSet& told = found.solutions.emplace_back();
    for (const ContactMode mode : set.modes) told.modes.push_back(word_for(mode));
    told.Lambda = set.x;
    for (const Vector& corner : set.vertices) told.vertices.push_back({corner, {}});
    told.bounded = set.bounded;
  }
  return found;
}

}  // namespace carom

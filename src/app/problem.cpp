#include "carom/app/problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "carom/analysis/effective_restitution.h"
#include "carom/record/path_table.h"

namespace carom::app {
namespace {

constexpr double kMostNumbers = 2e7;  // of a path

void require_path(const ImpactLaw& law) {
  if (has_path(law)) return;
  std::vector<std::string_view> names;
  for_each_law([&](const auto& other) {
    if (has_path(other)) names.push_back(other.name);
  });
  throw InputError("law", fmt::format("{} does not follow the impact in time; --path works with {}", name_of(law),
                                      fmt::join(names, ", ")));
}

void require_short(const ImpactProblem& problem, const ImpactOutcome& outcome, const Path& path) {
  const long states = std::max(outcome.cost.iterations, static_cast<long>(path.states.size()));
  const double numbers = record::numbers_of_path(problem, static_cast<double>(states));
  if (numbers > kMostNumbers)
    throw InputError("--path", fmt::format("has about {:.2g} numbers ({} steps, {} contacts); at most {:.0e} are "
                                           "written: ask for a larger law.tolerance or for fewer contacts",
                                           numbers, states, problem.contacts.size(), kMostNumbers));
}

}  // namespace

SolvedImpact solve_impact(const scene::ProblemFile& file, const ImpactOptions& options) {
  return with_places(file, [&] {
    if (!file.law)
      throw InputError("", "names no law; add \"law\" to the file or choose one with --law NAME (see carom laws)");
    SolveOptions how = file.how();
    how.watch = options.watch;
    if (options.all) how.others = Others::listed;
    const auto as_a_whole = [&](ImpactOutcome outcome) {
      outcome.effective_restitution = effective_restitution(file.problem, outcome.u_plus);
      return outcome;
    };
    if (!options.path) return SolvedImpact{as_a_whole(solve(file.problem, *file.law, nullptr, how)), std::nullopt};
    require_path(*file.law);
    Path path;
    path.most_states = longest_path(file.problem);
    ImpactOutcome outcome = solve(file.problem, *file.law, &path, how);
    require_short(file.problem, outcome, path);
    return SolvedImpact{as_a_whole(std::move(outcome)), std::move(path)};
  });
}

std::size_t longest_path(const ImpactProblem& problem) {
  return static_cast<std::size_t>(kMostNumbers / record::numbers_of_path(problem, 1)) + 1;
}

analysis::ContactForces forces_of(const scene::ProblemFile& file) {
  return with_places(file, [&] {
    if (file.h.size() == 0)
      throw InputError("", "has no \"h\"; carom forces needs the generalized forces, a list as long as u");
    return analysis::contact_forces(file.problem, file.h, file.bias);
  });
}

analysis::ImpulsePlane plane_of(const scene::ProblemFile& file) {
  return with_places(file, [&] { return analysis::impulse_plane(file.problem); });
}

Matrix restitution_matrix_of(const scene::ProblemFile& file) {
  if (!file.law) return {};
  return std::visit(
      [](const auto& value) -> Matrix {
        if constexpr (requires { value.E_n; })
          return value.E_n;
        else
          return {};
      },
      *file.law);
}

std::optional<analysis::Restitution> restitution_of(const scene::ProblemFile& file, const ContactProblem& problem) {
  if (!file.law) return std::nullopt;
  using Found = std::optional<analysis::Restitution>;
  return std::visit(
      [&](const auto& value) -> Found {
        if constexpr (requires { value.E_n; })
          return value.E_n.size() > 0 ? Found({value.E_n, analysis::Restitution::Form::equality}) : std::nullopt;
        else if constexpr (requires { value.matrix; }) {
          Vector e(problem.size());
          for (Index i = 0; i < e.size(); ++i) e[i] = problem.contacts()[i].e;
          const Matrix epsilon = value.matrix.size() > 0 ? value.matrix : Matrix(e.asDiagonal());
          return Found({analysis::in_kinetic_coordinates(problem, epsilon), analysis::Restitution::Form::inequality});
        } else {
          return std::nullopt;
        }
      },
      *file.law);
}

std::vector<NamedVelocity> known_velocities(const scene::ProblemFile& file) {
  std::vector<NamedVelocity> result;
  for (std::size_t i = 0; i < file.candidates.size(); ++i)
    result.push_back({fmt::format("candidate {}", i + 1), file.candidates[i]});
  for_each_law([&](const auto& law) {
    try {
      const ImpactLaw used = file.law && name_of(*file.law) == law.name ? *file.law : ImpactLaw(law);
      const ImpactOutcome outcome = solve(file.problem, used, nullptr, file.how());
      if (outcome.solved()) result.push_back({std::string(law.name), outcome.u_plus});
    } catch (const InputError&) {  // this law does not apply
    }
  });
  return result;
}

}  // namespace carom::app

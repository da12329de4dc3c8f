#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <memory>

#include "commands.h"
#include "record/outcome_json.h"
#include "record/outcome_text.h"
#include "record/path_svg.h"
#include "record/path_table.h"

namespace carom::cli {
namespace {

struct ImpactOptions : Common {
  bool path = false, all = false;
};

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

/// An impact that was solved before, with the states inside it; their number is known by then.
Path path_of(const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome) {
  const double numbers = record::numbers_of_path(problem, static_cast<double>(outcome.cost.iterations));
  if (numbers > kMostNumbers)
    throw InputError("--path", fmt::format("has about {:.2g} numbers ({} steps, {} contacts); at most {:.0e} are "
                                           "written: ask for a larger law.tolerance or for fewer contacts",
                                           numbers, outcome.cost.iterations, problem.contacts.size(), kMostNumbers));
  Path path;
  outcome = solve(problem, law, &path);
  return path;
}

/// The document, and in the folder of --out the path as a table and as a picture.
std::string document_of(const ImpactOptions& options, const ImpactProblem& problem, const ImpactOutcome& outcome,
                        const Path& path) {
  if (!options.path) return record::to_json(outcome, problem.contacts).dump(2) + "\n";
  if (!options.out.empty()) {
    write_into(options.out, "path.csv", record::path_csv(problem, outcome, path));
    write_into(options.out, "path.svg", record::path_svg(problem, outcome, path));
  }
  return record::to_json_with_path(outcome, path);
}

std::string path_line(const ImpactOptions& options, const Path& path) {
  if (!options.path) return "";
  return fmt::format("path: {} states, {}\n", path.states.size(),
                     options.out.empty() ? "--json prints them, --out DIR writes them as path.csv and path.svg"
                                         : "written to path.csv and path.svg in " + options.out);
}

int run(const ImpactOptions& options) {
  const scene::ProblemFile file = options.read();
  if (!file.law)
    throw scene::located(
        InputError("", "names no law; add \"law\" to the file or choose one with --law NAME (see carom laws)"),
        file.document);
  ImpactOutcome outcome;
  Path path;
  try {
    if (options.path) require_path(*file.law);
    SolveOptions how;
    if (options.all) how.others = Others::listed;
    outcome = solve(file.problem, *file.law, nullptr, how);
    if (options.path) path = path_of(file.problem, *file.law, outcome);
  } catch (const InputError& error) {
    throw scene::located(error, file.document);
  }
  const std::string document =
      options.json || !options.out.empty() ? document_of(options, file.problem, outcome, path) : "";
  if (!options.out.empty()) write_into(options.out, "outcome.json", document);
  if (options.json)
    fmt::print("{}", document);
  else if (!options.quiet)
    fmt::print("{}{}: {}\n\n{}{}", file.about.empty() ? "" : file.about + "\n", outcome.law, to_string(outcome.status),
               record::outcome_text(file.problem, outcome), path_line(options, path));
  return outcome.solved() ? Exit::ok : Exit::no_answer;
}

}  // namespace

void add_impact(CLI::App& app, int& exit) {
  CLI::App* verb = app.add_subcommand("impact", "solve one impact at a frozen configuration");
  verb->footer(
      "Examples: carom impact examples/newtons_cradle.json --law poisson --set e=0.8\n"
      "          carom impact examples/hertz_cradle.json --path --out cradle");
  auto options = std::make_shared<ImpactOptions>();
  options->add_to(*verb);
  options->add_law_to(*verb);
  verb->add_flag("--path", options->path,
                 "the states inside the impact, for laws that follow it in time: in the document, and as path.csv and "
                 "path.svg in the folder of --out");
  verb->add_flag("--all", options->all,
                 "all solutions that friction allows, up to a dozen planar contacts: in the document as `solutions`, a "
                 "continuum by its vertices");
  verb->callback([options, &exit] { exit = run(*options); });
}

}  // namespace carom::cli

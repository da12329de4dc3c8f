#include <fmt/format.h>

#include <memory>

#include "carom/app/problem.h"
#include "carom/record/outcome_json.h"
#include "carom/record/outcome_text.h"
#include "carom/record/path_svg.h"
#include "carom/record/path_table.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct ImpactOptions : Common {
  app::ImpactOptions asked;
};

/// The document, and in the folder of --out the path as a table and as a picture.
std::string document_of(const ImpactOptions& options, const ImpactProblem& problem, const app::SolvedImpact& impact) {
  const auto& [outcome, path] = impact;
  if (!path) return record::to_json(outcome, problem.contacts).dump(2) + "\n";
  if (!options.out.empty()) {
    write_into(options.out, "path.csv", record::path_csv(problem, outcome, *path));
    write_into(options.out, "path.svg", record::path_svg(problem, outcome, *path));
  }
  return record::to_json_with_path(outcome, *path);
}

std::string path_line(const ImpactOptions& options, const std::optional<Path>& path) {
  if (!path) return "";
  return fmt::format("path: {} states, {}\n", path->states.size(),
                     options.out.empty() ? "--json prints them, --out DIR writes them as path.csv and path.svg"
                                         : "written to path.csv and path.svg in " + options.out);
}

int act(const ImpactOptions& options) {
  const scene::ProblemFile file = options.read();
  const app::SolvedImpact impact = app::solve_impact(file, options.asked);
  const ImpactOutcome& outcome = impact.outcome;
  const std::string document = options.json || !options.out.empty() ? document_of(options, file.problem, impact) : "";
  if (!options.out.empty()) write_into(options.out, "outcome.json", document);
  if (options.json)
    fmt::print("{}", document);
  else if (!options.quiet)
    fmt::print("{}{}: {}\n\n{}{}", file.about.empty() ? "" : file.about + "\n", outcome.law, to_string(outcome.status),
               record::outcome_text(file.problem, outcome), path_line(options, impact.path));
  return outcome.solved() ? Exit::ok : Exit::no_answer;
}

}  // namespace

Verb impact_verb() {
  auto options = std::make_shared<ImpactOptions>();
  Verb verb{.name = "impact",
            .summary = "solve one impact at a frozen configuration",
            .footer =
                "Examples: carom impact examples/newtons_cradle.json --law poisson --set e=0.8\n"
                "          carom impact examples/hertz_cradle.json --path --out cradle",
            .options = options->options(),
            .act = [options] { return act(*options); }};
  verb.options.insert(
      verb.options.end(),
      {options->law_option(),
       {.name = "--path",
        .target = &options->asked.path,
        .help = "the states inside the impact, for laws that follow it in time: in the document, and as path.csv and "
                "path.svg in the folder of --out"},
       {.name = "--all",
        .target = &options->asked.all,
        .help = "all solutions that friction allows, up to a dozen planar contacts: in the document as `solutions`, a "
                "continuum by its vertices"}});
  return verb;
}

}  // namespace carom::cli

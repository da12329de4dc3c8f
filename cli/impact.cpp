#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "carom/app/pages.h"
#include "carom/app/problem.h"
#include "carom/app/scene_impact.h"
#include "carom/record/outcome_json.h"
#include "carom/record/outcome_text.h"
#include "carom/record/output_file.h"
#include "carom/record/path_svg.h"
#include "carom/record/path_table.h"
#include "interrupt.h"
#include "progress.h"
#include "verbs.h"
#include "waiting.h"

namespace carom::cli {
namespace {

struct ImpactOptions : Common {
  app::ImpactOptions asked;
  std::optional<std::string> at;
  std::string save;
  double timeout = 0;  // [s]
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

/// Solves the problem and tells; `before` and `behind` are for people.
int answer(const ImpactOptions& options, const scene::ProblemFile& file, const app::SolvedImpact& impact,
           const std::string& before, const std::string& behind) {
  const ImpactOutcome& outcome = impact.outcome;
  const std::string document = options.json || !options.out.empty() ? document_of(options, file.problem, impact) : "";
  if (!options.out.empty()) write_into(options.out, "outcome.json", document);
  if (options.json)
    fmt::print("{}", document);
  else if (!options.quiet)
    fmt::print("{}{}{}: {}\n\n{}{}{}", file.about.empty() ? "" : file.about + "\n", before, outcome.law,
               to_string(outcome.status), record::outcome_text(file.problem, outcome), path_line(options, impact.path),
               behind);
  return outcome.solved() ? Exit::ok : Exit::no_answer;
}

app::SolvedImpact solved(const ImpactOptions& options, const scene::ProblemFile& file) {
  Watch watch;
  const Waiting line(!options.quiet, fmt::format("solving an impact with {} contacts", file.problem.contacts.size()),
                     &watch, deadline_in(options.timeout));
  app::ImpactOptions asked = options.asked;
  asked.watch = &watch;
  return app::solve_impact(file, asked);
}

/// The same with the states inside, where the law has them and they are not too many for a page.
app::SolvedImpact with_inside(const scene::ProblemFile& file, const app::SolvedImpact& impact) {
  if (impact.path || !has_path(*file.law)) return impact;
  try {
    return app::solve_impact(file, {.path = true});
  } catch (const InputError&) {
    return impact;
  }
}

/// Writes the page that was asked for, which has the states inside the impact whether they were asked for or not.
std::string page_line(const ImpactOptions& options, const scene::ProblemFile& file, const app::SolvedImpact& impact,
                      const std::vector<std::string>& remarks, const record::ImpactScene* scene) {
  const Drawing page = page_of(options, options.input);
  if (page.wanted) page.write(app::impact_page(file, with_inside(file, impact), remarks, scene));
  return page.told("page");
}

int act_on_problem(const ImpactOptions& options) {
  if (options.at) throw InputError("--at", "is for scenes, *.toml; " + options.input + " is one impact already");
  if (!options.save.empty())
    throw InputError("--save", "writes an impact of a scene, *.toml; " + options.input + " is a problem already");
  const scene::ProblemFile file = options.read();
  const app::SolvedImpact impact = solved(options, file);
  return answer(options, file, impact, "", page_line(options, file, impact, {}, nullptr));
}

int act_on_scene(const ImpactOptions& options) {
  require_writable("--save", options.save, options.input);
  const app::SceneImpact found = options.read_impact(
      options.at.value_or("first"), options.report ? app::Surroundings::kept : app::Surroundings::left_out);
  const app::SolvedImpact impact = solved(options, found.file);
  if (!options.save.empty()) record::write_file(options.save, found.document.dump(2) + "\n");
  std::string behind;
  if (!options.at) behind += "the first impact of the scene; --at N or --at t=T takes another\n";
  for (const std::string& remark : found.remarks) behind += "remark: " + remark + "\n";
  if (!options.save.empty()) behind += fmt::format("the problem is in {}\n", options.save);
  behind += page_line(options, found.file, impact, found.remarks, found.scene ? &*found.scene : nullptr);
  return answer(options, found.file, impact, velocities_line(found), behind);
}

int act(const ImpactOptions& options) {
  page_of(options, options.input);  // refused before any work
  return is_scene(options.input) ? act_on_scene(options) : act_on_problem(options);
}

}  // namespace

Verb impact_verb() {
  auto options = std::make_shared<ImpactOptions>();
  Verb verb{.name = "impact",
            .summary = "solve one impact at a frozen configuration, of a problem file or of a scene",
            .footer =
                "Examples: carom impact examples/newtons_cradle.json --law poisson --set e=0.8\n"
                "          carom impact examples/hertz_cradle.json --path --out cradle\n"
                "          carom impact scenes/bead_column.toml --at 2 --save column.json",
            .options = options->options(),
            .act = [options] { return act(*options); }};
  verb.options.front().help = "the problem, a JSON file (- reads standard input), or a scene, *.toml";
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
                "continuum by its vertices"},
       timeout_option(options->timeout, "ends with what there is"),
       at_option(options->at),
       {.name = "--save",
        .target = &options->save,
        .help = "of a scene: write the problem of the impact into this file, which carom impact reads",
        .value = "FILE"},
       options->report_option("the outcome, and what happens inside where the law follows it")});
  return verb;
}

}  // namespace carom::cli

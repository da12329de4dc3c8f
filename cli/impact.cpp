#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "commands.h"
#include "record/outcome_json.h"
#include "record/outcome_text.h"

namespace carom::cli {
namespace {

int run(const Common& options) {
  const scene::ProblemFile file = options.read();
  if (!file.law)
    throw scene::located(
        InputError("", "names no law; add \"law\" to the file or choose one with --law NAME (see carom laws)"),
        file.document);
  ImpactOutcome outcome;
  try {
    outcome = solve(file.problem, *file.law);
  } catch (const InputError& error) {
    throw scene::located(error, file.document);
  }
  const std::string document = record::to_json(outcome).dump(2) + "\n";
  if (!options.out.empty()) write_into(options.out, "outcome.json", document);
  if (options.json)
    fmt::print("{}", document);
  else if (!options.quiet)
    fmt::print("{}{}: {}\n\n{}", file.about.empty() ? "" : file.about + "\n", outcome.law, to_string(outcome.status),
               record::outcome_text(file.problem, outcome));
  return outcome.solved() ? Exit::ok : Exit::no_answer;
}

}  // namespace

void add_impact(CLI::App& app, int& exit) {
  CLI::App* verb = app.add_subcommand("impact", "solve one impact at a frozen configuration");
  verb->footer("Example: carom impact examples/newtons_cradle.json --law poisson --set e=0.8");
  auto options = std::make_shared<Common>();
  options->add_to(*verb);
  options->add_law_to(*verb);
  verb->callback([options, &exit] { exit = run(*options); });
}

}  // namespace carom::cli

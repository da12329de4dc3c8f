#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.h"
#include "record/outcome_json.h"
#include "record/outcome_text.h"

namespace carom::cli {
namespace {

struct Options : Common {
  std::vector<std::string> laws;
};

/// Laws that take no notice of the contacts' e, where that would make a difference.
std::vector<std::string> not_reading_e(const ImpactProblem& problem, const std::vector<ImpactOutcome>& outcomes) {
  std::vector<std::string> lines;
  if (std::all_of(problem.contacts.begin(), problem.contacts.end(), [](const Contact& one) { return one.e == 1; }))
    return lines;
  for_each_law([&]<class L>(const L&) {
    for (const ImpactOutcome& outcome : outcomes)
      if (outcome.law == L::name && !reads<L>("e"))
        lines.push_back(fmt::format("{} does not read e of the contacts", L::name));
  });
  return lines;
}

int run(const Options& options) {
  const scene::ProblemFile file = options.read();
  std::vector<ImpactOutcome> outcomes;
  std::vector<std::string> left_out;
  const auto solve_with = [&](const std::string& name) {
    try {
      outcomes.push_back(solve(file.problem, scene::law_for(file, name)));
    } catch (const InputError& error) {
      throw scene::located(error, file.document);
    }
  };
  for (const std::string& name : options.laws) solve_with(name);
  if (options.laws.empty())
    for_each_law([&](const auto& law) {
      try {
        solve_with(std::string(law.name));
      } catch (const InputError& error) {
        left_out.push_back(fmt::format("{} is left out: {}", law.name, error.rule));
      }
    });
  if (outcomes.empty()) throw scene::located(InputError("", "no law applies: " + left_out.front()), file.document);
  const std::string document = record::to_json(outcomes, left_out).dump(2) + "\n";
  if (!options.out.empty()) write_into(options.out, "comparison.json", document);
  if (options.json) {
    fmt::print("{}", document);
  } else if (!options.quiet) {
    if (!file.about.empty()) fmt::print("{}\n\n", file.about);
    fmt::print("{}", record::comparison_text(file.problem, outcomes));
    for (const ImpactOutcome& outcome : outcomes)
      for (const std::string& line : record::certificate_words(file.problem, outcome))
        if (!line.starts_with("consistent")) fmt::print("{}: {}\n", outcome.law, line);
    for (const std::string& line : not_reading_e(file.problem, outcomes)) fmt::print("{}\n", line);
    for (const std::string& line : left_out) fmt::print("{}\n", line);
  }
  for (const ImpactOutcome& outcome : outcomes)
    if (!outcome.solved()) return Exit::no_answer;
  return Exit::ok;
}

}  // namespace

void add_compare(CLI::App& app, int& exit) {
  CLI::App* verb = app.add_subcommand("compare", "the same impact under several laws, side by side");
  verb->footer("Example: carom compare examples/newtons_cradle.json --laws newton,poisson,moreau");
  auto options = std::make_shared<Options>();
  options->add_to(*verb);
  verb->add_option("--laws", options->laws, "the laws, separated by commas; left out: all that apply")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->callback([options, &exit] { exit = run(*options); });
}

}  // namespace carom::cli

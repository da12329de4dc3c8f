#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "record/outcome_json.h"
#include "record/outcome_text.h"
#include "record/run_comparison.h"
#include "scene/law_reader.h"
#include "scene_run.h"

namespace carom::cli {
namespace {

struct CompareOptions : Common {
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

/// Asks each law, of --laws or of all there are. Of all, those that refuse are left out and say why.
template <class Try>
std::vector<std::string> try_laws(const std::vector<std::string>& chosen, Try&& try_law) {
  std::vector<std::string> left_out;
  for (const std::string& name : chosen) try_law(name);
  if (!chosen.empty()) return left_out;
  for_each_law([&](const auto& law) {
    try {
      try_law(std::string(law.name));
    } catch (const InputError& error) {
      left_out.push_back(fmt::format("{} is left out: {}", law.name, error.rule));
    }
  });
  return left_out;
}

/// The document to where it was asked for; true if people want to read something instead.
bool deliver(const CompareOptions& options, const record::Json& comparison) {
  const std::string document = comparison.dump(2) + "\n";
  if (!options.out.empty()) write_into(options.out, "comparison.json", document);
  if (options.json) fmt::print("{}", document);
  return !options.json && !options.quiet;
}

int compare_impacts(const CompareOptions& options) {
  const scene::ProblemFile file = options.read();
  std::vector<ImpactOutcome> outcomes;
  const std::vector<std::string> left_out = try_laws(options.laws, [&](const std::string& name) {
    try {
      outcomes.push_back(solve(file.problem, scene::law_for(file.law, name)));
    } catch (const InputError& error) {
      throw scene::located(error, file.document);
    }
  });
  if (outcomes.empty()) throw scene::located(InputError("", "no law applies: " + left_out.front()), file.document);
  if (deliver(options, record::to_json(outcomes, left_out, file.problem.contacts))) {
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

/// The laws that may move the scene; nothing has moved yet.
struct ChosenLaws {
  std::vector<ImpactLaw> laws;
  std::vector<std::string> left_out;
};

ChosenLaws laws_for(const ReadyScene& ready, const std::vector<std::string>& names) {
  ChosenLaws chosen;
  chosen.left_out = try_laws(names, [&](const std::string& name) {
    const ImpactLaw law = scene::law_for(ready.scene.law, name);
    require_law(ready, law);
    for (const ImpactLaw& other : chosen.laws)
      if (name_of(other) == name) throw InputError("--laws", fmt::format("names {} twice", name));
    chosen.laws.push_back(law);
  });
  if (chosen.laws.empty())
    throw scene::located(InputError("", "no law applies: " + chosen.left_out.front()), ready.scene);
  require_ready(ready, chosen.laws.front());
  return chosen;
}

int compare_runs(const CompareOptions& options) {
  const ReadyScene ready = read_scene(options.input, std::nullopt, options.settings);
  const ChosenLaws chosen = laws_for(ready, options.laws);
  std::vector<SceneRun> runs;
  for (const ImpactLaw& law : chosen.laws) {
    const std::string name(name_of(law));
    const std::filesystem::path folder = options.out.empty() ? "" : std::filesystem::path(options.out) / name;
    runs.push_back(simulate(ready, law, {.folder = folder, .progress = !options.quiet, .label = name}));
  }
  std::vector<record::ComparedRun> compared;
  compared.reserve(runs.size());
  for (const SceneRun& one : runs) compared.push_back({one.title.law, &one.summary, &one.document});
  if (deliver(options, record::to_json(options.input, compared, chosen.left_out))) {
    fmt::print("{}", record::comparison_text(runs.front().title, ready.model, compared));
    for (const std::string& line : chosen.left_out) fmt::print("{}\n", line);
    if (!options.out.empty()) fmt::print("results in {}: comparison.json, and a folder for each law\n", options.out);
  }
  for (const SceneRun& one : runs)
    if (one.summary.status == RunStatus::not_finished) return Exit::no_answer;
  return Exit::ok;
}

int run(const CompareOptions& options) {
  return std::filesystem::path(options.input).extension() == ".toml" ? compare_runs(options) : compare_impacts(options);
}

}  // namespace

void add_compare(CLI::App& app, int& exit) {
  CLI::App* verb = app.add_subcommand("compare", "the same impact or the same scene under several laws, side by side");
  verb->footer(
      "Examples: carom compare examples/newtons_cradle.json --laws newton,poisson,moreau\n"
      "          carom compare scenes/newtons_cradle.toml --laws lzb,newton --set duration=2");
  auto options = std::make_shared<CompareOptions>();
  options->add_to(*verb);
  verb->get_option("problem")->description("the problem, a JSON file (- reads standard input), or the scene, *.toml");
  verb->add_option("--laws", options->laws, "the laws, separated by commas; left out: all that apply")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->callback([options, &exit] { exit = run(*options); });
}

}  // namespace carom::cli

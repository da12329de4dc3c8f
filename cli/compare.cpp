#include "carom/app/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "carom/record/outcome_json.h"
#include "carom/record/outcome_text.h"
#include "carom/record/run_comparison.h"
#include "interrupt.h"
#include "progress.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct CompareOptions : Common {
  std::vector<std::string> laws;
};

/// The document to where it was asked for; true if people want to read something instead.
bool deliver(const CompareOptions& options, const record::Json& comparison) {
  const std::string document = comparison.dump(2) + "\n";
  if (!options.out.empty()) write_into(options.out, "comparison.json", document);
  if (options.json) fmt::print("{}", document);
  return !options.json && !options.quiet;
}

int compare_impacts(const CompareOptions& options) {
  const scene::ProblemFile file = options.read();
  const auto [outcomes, left_out, not_reading_e] = app::compare_impacts(file, options.laws);
  if (deliver(options, record::to_json(outcomes, left_out, file.problem.contacts))) {
    if (!file.about.empty()) fmt::print("{}\n\n", file.about);
    fmt::print("{}", record::comparison_text(file.problem, outcomes));
    for (const ImpactOutcome& outcome : outcomes)
      for (const std::string& line : record::certificate_words(file.problem, outcome))
        if (!line.starts_with("consistent")) fmt::print("{}: {}\n", outcome.law, line);
    for (const std::string& law : not_reading_e) fmt::print("{} does not read e of the contacts\n", law);
    for (const std::string& line : left_out) fmt::print("{}\n", line);
  }
  const bool solved = std::all_of(outcomes.begin(), outcomes.end(), [](const auto& one) { return one.solved(); });
  return solved ? Exit::ok : Exit::no_answer;
}

int compare_runs(const CompareOptions& options) {
  const app::ReadyScene ready = app::read_scene(options.input, {.law = {}, .settings = options.settings});
  ProgressBar bar(!options.quiet);
  const auto [runs, left_out] = app::compare_runs(
      ready, options.laws, options.out,
      {.progress = [&](const app::Progress& now) { bar.show(now, now.law); }, .cancelled = &interrupted()});
  bar.clear();
  std::vector<record::ComparedRun> compared;
  compared.reserve(runs.size());
  for (const app::SceneRun& one : runs) compared.push_back({one.title.law, &one.summary, &one.document});
  if (deliver(options, record::to_json(options.input, compared, left_out))) {
    fmt::print("{}", record::comparison_text(runs.front().title, ready.model, compared));
    for (const std::string& line : left_out) fmt::print("{}\n", line);
    if (!options.out.empty()) fmt::print("results in {}: comparison.json, and a folder for each law\n", options.out);
  }
  const bool finished = std::none_of(
      runs.begin(), runs.end(), [](const app::SceneRun& one) { return one.summary.status == RunStatus::not_finished; });
  return finished ? Exit::ok : Exit::no_answer;
}

}  // namespace

Verb compare_verb() {
  auto options = std::make_shared<CompareOptions>();
  Verb verb{.name = "compare",
            .summary = "the same impact or the same scene under several laws, side by side",
            .footer =
                "Examples: carom compare examples/newtons_cradle.json --laws newton,poisson,moreau\n"
                "          carom compare scenes/newtons_cradle.toml --laws lzb,newton --set duration=2",
            .options = options->options(),
            .act = [options] {
              const bool scene = std::filesystem::path(options->input).extension() == ".toml";
              return scene ? compare_runs(*options) : compare_impacts(*options);
            }};
  verb.options.front().help = "the problem, a JSON file (- reads standard input), or the scene, *.toml";
  verb.options.push_back({.name = "--laws",
                          .target = &options->laws,
                          .help = "the laws, separated by commas; left out: all that apply",
                          .value = "NAME,...",
                          .one_by_one = true,
                          .commas = true});
  return verb;
}

}  // namespace carom::cli

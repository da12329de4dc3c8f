#include "carom/app/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "carom/app/overlay.h"
#include "carom/app/pages.h"
#include "carom/record/agreement.h"
#include "carom/record/impact_comparison.h"
#include "carom/record/outcome_text.h"
#include "carom/scene/law_choice.h"
#include "interrupt.h"
#include "progress.h"
#include "verbs.h"
#include "waiting.h"

namespace carom::cli {
namespace {

struct CompareOptions : Common {
  std::vector<std::string> laws;
  std::optional<std::string> at, window;
  double timeout = 0;  // [s]

  /// The laws one by one.
  std::vector<std::string> words() const {
    std::vector<std::string> all;
    for (const std::string& list : laws)
      for (const std::string& word : scene::split_at_commas(list)) all.push_back(word);
    return all;
  }
};

/// Where what is drawn goes.
struct Drawings {
  Drawing picture, page;
};

/// What is drawn: empty texts where it was not asked for.
struct Drawn {
  std::string picture, page;
};

/// The document, the picture and the page to where they were asked for; true if people want to read something instead.
bool deliver(const CompareOptions& options, const record::Json& comparison, const Drawings& places,
             const Drawn& drawn) {
  const std::string document = comparison.dump(2) + "\n";
  places.picture.write(drawn.picture);
  places.page.write(drawn.page);
  if (!options.out.empty()) write_into(options.out, "comparison.json", document);
  if (options.json) fmt::print("{}", document);
  return !options.json && !options.quiet && !places.picture.printed();
}

void print_places(const Drawings& places) {
  fmt::print("{}{}", places.picture.told("picture"), places.page.told("page"));
}

void print_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) fmt::print("{}\n", record::wrapped(line, record::kWidestTable));
}

int compare_problem(const CompareOptions& options, const Drawings& places, const scene::ProblemFile& file,
                    const std::string& before, const std::vector<std::string>& remarks,
                    const record::ImpactScene* scene = nullptr) {
  if (options.window) throw InputError("--window", "is for scenes; of one impact all is drawn");
  const bool draws = places.picture.wanted, shows = places.page.wanted;
  const app::ComparedImpacts compared = [&] {
    Watch watch;
    Waiting line(!options.quiet, "comparing laws", &watch, deadline_in(options.timeout));
    const auto begins = [&](const std::string& law, std::size_t number, std::size_t of) {
      line.next(fmt::format("{}, law {} of {}", law, number, of));
    };
    return app::compare_impacts(file, options.words(), draws || shows ? app::Inside::kept : app::Inside::ignored,
                                {begins, &watch});
  }();
  const auto& outcomes = compared.outcomes;
  if (deliver(options, record::to_json(file.problem, outcomes, compared.columns, compared.left_out), places,
              {draws ? record::overlay_svg(app::overlay_of(file, compared)) : "",
               shows ? app::impact_page(file, compared, remarks, scene) : ""})) {
    if (!file.about.empty()) print_lines({file.about});
    fmt::print("{}{}{}", before, file.about.empty() && before.empty() ? "" : "\n",
               record::comparison_text(file.problem, outcomes, compared.columns));
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      for (const std::string& line : record::certificate_words(file.problem, outcomes[i]))
        if (!line.starts_with("consistent")) print_lines({fmt::format("{}: {}", compared.columns[i].label(), line)});
    print_lines(record::agreement_words(file.problem, outcomes, compared.columns));
    for (const std::string& law : compared.not_reading_e) fmt::print("{} does not read e of the contacts\n", law);
    print_lines(compared.left_out);
    print_lines(remarks);
    print_places(places);
  }
  const bool solved = std::all_of(outcomes.begin(), outcomes.end(), [](const auto& one) { return one.solved(); });
  return solved ? Exit::ok : Exit::no_answer;
}

int compare_impact_of_scene(const CompareOptions& options, const Drawings& places) {
  const app::SceneImpact found =
      options.read_impact(*options.at, places.page.wanted ? app::Surroundings::kept : app::Surroundings::left_out);
  return compare_problem(options, places, found.file, velocities_line(found), found.remarks,
                         found.scene ? &*found.scene : nullptr);
}

int compare_scene(const CompareOptions& options, const Drawings& places) {
  const app::ReadyScene ready = app::read_scene(options.input, {.law = {}, .settings = options.settings});
  std::optional<app::TimeWindow> window;
  if (options.window) window = app::parse_window(*options.window);
  if (window) app::require_within(ready, *window);
  ProgressBar bar(!options.quiet);
  const app::Control control = {
      .progress =
          [&](const app::Progress& now) { bar.show(now, fmt::format("{}, {} of {}", now.law, now.run, now.runs)); },
      .cancelled = &interrupted(),
      .deadline = deadline_in(options.timeout)};
  const bool draws = places.picture.wanted, shows = places.page.wanted;
  const app::ComparedRuns compared = app::compare_runs(ready, options.words(), options.out, control,
                                                       shows ? app::Reports::kept : app::Reports::left_out);
  const Drawn drawn = {draws ? record::overlay_svg(app::overlay_of(ready, compared, window, control)) : "",
                       shows ? app::comparison_page(ready, compared) : ""};
  bar.clear();
  const std::vector<record::ComparedRun> columns = compared.compared(ready.model);
  if (deliver(options, record::to_json(options.input, ready.model, columns, compared.left_out), places, drawn)) {
    fmt::print("{}", app::comparison_text(ready.model, compared));
    print_places(places);
    if (!options.out.empty()) fmt::print("results in {}: comparison.json, and a folder for each law\n", options.out);
  }
  const bool finished = std::none_of(compared.runs.begin(), compared.runs.end(), [](const app::SceneRun& one) {
    return one.summary.status == RunStatus::not_finished;
  });
  return finished ? Exit::ok : Exit::no_answer;
}

int act(const CompareOptions& options) {
  const Drawings places = {picture_of(options, "comparison.svg", options.input), page_of(options, options.input)};
  if (!is_scene(options.input)) {
    if (options.at) throw InputError("--at", "is for scenes, *.toml; " + options.input + " is one impact already");
    return compare_problem(options, places, options.read(), "", {});
  }
  return options.at ? compare_impact_of_scene(options, places) : compare_scene(options, places);
}

}  // namespace

Verb compare_verb() {
  auto options = std::make_shared<CompareOptions>();
  Verb verb{.name = "compare",
            .summary = "the same impact or the same scene under several laws, side by side",
            .footer =
                "Examples: carom compare examples/newtons_cradle.json --laws newton,poisson,moreau\n"
                "          carom compare scenes/newtons_cradle.toml --laws lzb,newton --set duration=2\n"
                "          carom compare scenes/bead_column_forces.toml --svg forces.svg \\\n"
                "            --laws 'lzb,compliant{force=power},compliant{force=hunt-crossley}'\n"
                "          carom compare scenes/bead_column.toml --at 2 --laws lzb,newton",
            .options = options->options(),
            .act = [options] { return act(*options); }};
  verb.options.front().help = "the problem, a JSON file (- reads standard input), or the scene, *.toml";
  verb.options.insert(
      verb.options.end(),
      {{.name = "--laws",
        .target = &options->laws,
        .help = "the laws, separated by commas, each NAME or NAME{key=value,...} with its parameters, in scenes also "
                "scheme=...; left out: all that apply. In a scene compliant moves by the scheme compliant where "
                "stiffnesses are known",
        .value = "LAW,...",
        .one_by_one = true},
       at_option(options->at),
       timeout_option(options->timeout, "ends with what there is; laws that have not begun are left out"),
       options->svg_option("the contact forces over time under each law, on the same axes,", "comparison.svg"),
       {.name = "--window",
        .target = &options->window,
        .help = "of a scene: the times that --svg shows [s]; left out: the first impacts",
        .value = "FROM,TO"},
       options->report_option(
           "animations side by side that move in step, curves of all laws on one axis, the table; of one "
           "impact its outcomes and what is inside")});
  return verb;
}

}  // namespace carom::cli

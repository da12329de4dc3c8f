#include <fmt/format.h>

#include <filesystem>

#include "carom/base/error.h"
#include "interrupt.h"
#include "progress.h"
#include "verbs.h"

namespace carom::cli {

std::vector<Option> Common::options() {
  return {{.name = "problem",
           .target = &input,
           .help = "the problem, a JSON file; - reads standard input",
           .required = true},
          {.name = "--set",
           .target = &settings,
           .help = "change a value: key=value, for example --set e=0.5 (all contacts), --set contacts[0].mu=0.3, --set "
                   "law.e=0.9",
           .value = "KEY=VALUE",
           .one_by_one = true},
          {.name = "--json", .target = &json, .help = "one JSON document on standard output and nothing else there"},
          {.name = "--out", .target = &out, .help = "also write the results into this folder", .value = "DIR"},
          {.name = "--quiet", .target = &quiet, .help = "no output for people; the exit code tells"}};
}

Option Common::law_option() {
  return {.name = "--law",
          .target = &law,
          .help = "use this law instead of the file's, NAME or NAME{key=value,...}; see carom laws",
          .value = "LAW"};
}

scene::ProblemFile Common::read() const {
  if (is_scene(input))
    throw InputError(input, fmt::format("is a scene, not a problem; carom impact {} --at N --save problem.json makes a "
                                        "problem of its impact N",
                                        input));
  return scene::read_problem(input, {law, settings});
}

Common::Chosen Common::read_chosen(const std::optional<std::string>& at) const {
  if (!is_scene(input)) {
    if (at) throw InputError("--at", "is for scenes, *.toml; " + input + " is one impact already");
    return {read()};
  }
  app::SceneImpact found = read_impact(at.value_or("first"));
  std::string line = velocities_line(found);
  return {std::move(found.file), std::move(found.velocities), std::move(line)};
}

app::SceneImpact Common::read_impact(const std::string& at, app::Surroundings surroundings) const {
  const app::ImpactAt wanted = app::parse_impact_at(at);
  const app::ReadyScene ready = app::read_scene(input, {.law = law, .settings = settings});
  ProgressBar bar(!quiet);
  app::SceneImpact found = app::impact_of(
      ready, wanted, {.progress = [&](const app::Progress& now) { bar.show(now, ""); }, .cancelled = &interrupted()},
      surroundings);
  bar.clear();
  return found;
}

bool is_scene(const std::string& file) {
  return std::filesystem::path(file).extension() == ".toml";
}

Option at_option(std::optional<std::string>& at) {
  return {.name = "--at",
          .target = &at,
          .help =
              "of a scene: which impact, first, a number from 1 as in impacts.csv, or t=T, the first at or after "
              "that time [s]",
          .value = "WHICH"};
}

Option timeout_option(double& seconds, const std::string& what) {
  return {.name = "--timeout",
          .target = &seconds,
          .help = "seconds of computing after which it " + what,
          .value = "S",
          .range = {{1e-3, 1e9}}};
}

std::string velocities_line(const app::SceneImpact& impact) {
  constexpr std::size_t kMostNamed = 12;
  const std::vector<std::string>& names = impact.velocities;
  std::string text = "u:";
  for (std::size_t i = 0; i < names.size() && i < kMostNamed; ++i)
    text += fmt::format("{} [{}] {}", i == 0 ? "" : ",", i, names[i]);
  return text + (names.size() > kMostNamed ? fmt::format(", ... [{}] {}\n", names.size() - 1, names.back()) : "\n");
}

}  // namespace carom::cli

#include "carom/app/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/app/problem.h"
#include "carom/scene/law_reader.h"

namespace carom::app {
namespace {

/// Asks each law, of those chosen or of all there are. Of all, those that refuse are left out and say why.
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

std::vector<std::string> not_reading_e(const scene::ProblemFile& file, const std::vector<ImpactOutcome>& outcomes) {
  std::vector<std::string> names;
  const std::vector<Contact>& contacts = file.problem.contacts;
  if (std::all_of(contacts.begin(), contacts.end(), [](const Contact& one) { return one.e == 1; })) return names;
  for (const ImpactOutcome& outcome : outcomes)
    if (!reads(scene::law_for(file.law, outcome.law), "e")) names.emplace_back(outcome.law);
  return names;
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
  require_start(ready);
  return chosen;
}

}  // namespace

ComparedImpacts compare_impacts(const scene::ProblemFile& file, const std::vector<std::string>& laws) {
  ComparedImpacts result;
  result.left_out = try_laws(laws, [&](const std::string& name) {
    result.outcomes.push_back(with_places(file, [&] { return solve(file.problem, scene::law_for(file.law, name)); }));
  });
  if (result.outcomes.empty())
    throw scene::located(InputError("", "no law applies: " + result.left_out.front()), file.document);
  result.not_reading_e = not_reading_e(file, result.outcomes);
  return result;
}

ComparedRuns compare_runs(const ReadyScene& ready, const std::vector<std::string>& laws,
                          const std::filesystem::path& folder, const Control& control) {
  const ChosenLaws chosen = laws_for(ready, laws);
  ComparedRuns result{{}, chosen.left_out};
  for (const ImpactLaw& law : chosen.laws) {
    if (!result.runs.empty() && control.is_cancelled())
      result.left_out.push_back(fmt::format("{} is left out: cancelled before it began", name_of(law)));
    else
      result.runs.push_back(run_checked_scene(ready, law, folder.empty() ? folder : folder / name_of(law), control));
  }
  return result;
}

}  // namespace carom::app

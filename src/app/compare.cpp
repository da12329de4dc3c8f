#include "carom/app/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/app/problem.h"
#include "carom/model/contact_rules.h"
#include "carom/record/agreement.h"
#include "carom/record/table.h"
#include "carom/scene/law_choice.h"

namespace carom::app {
namespace {

constexpr std::size_t kFirstImpacts = 32;  // that a comparison remembers

/// Asks each law, of those chosen or of all there are. Of all, those that refuse are left out and say why.
template <class Try>
std::vector<std::string> try_laws(const std::vector<std::string>& chosen, Try&& try_law) {
  std::vector<std::string> left_out;
  for (const std::string& word : chosen) try_law(word);
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

void require_new(const std::vector<record::ColumnTitle>& columns, const std::string& label) {
  for (const record::ColumnTitle& other : columns)
    if (other.label() == label) throw InputError("--laws", fmt::format("names {} twice", label));
}

std::vector<std::string> not_reading_e(const scene::ProblemFile& file,
                                       const std::vector<record::ColumnTitle>& columns) {
  std::vector<std::string> labels;
  const std::vector<Contact>& contacts = file.problem.contacts;
  if (std::all_of(contacts.begin(), contacts.end(), [](const Contact& one) { return one.e == 1 && !one.e_of; }))
    return labels;
  for (const record::ColumnTitle& column : columns)
    if (!reads(column.law, "e")) labels.push_back(column.label());
  return labels;
}

/// Whether some contact has an e that is not 1.
bool loses_energy(const Model& model) {
  const ContactRules rules(model);
  const std::vector<PartPair> kinds = rules.kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const PartPair& one) {
    const PairProperties known = rules.properties(one.body_a, one.body_b);
    return known.e != 1 || known.e_of;
  });
}

/// A law that may move the scene, and how.
struct Mover {
  scene::LawChoice choice;
  Scheme scheme;
};

/// How the scene moves under a law.
Scheme scheme_for(const ReadyScene& ready, const scene::LawChoice& choice, std::vector<std::string>& remarks) {
  const Scheme& own = ready.scene.scheme;
  const bool forced = std::holds_alternative<ForcedMotion>(own);
  if (choice.scheme) return *choice.scheme;
  if (!is_contact_force(choice.law)) return forced ? Scheme(EventDriven{}) : own;
  if (forced) return own;
  try {
    carom::require_law(ready.model, ready.start, ForcedMotion{}, choice.law);
    return ForcedMotion{};
  } catch (const InputError& error) {
    remarks.push_back(
        fmt::format("{} answers impacts only, under the scheme {}: {}", choice.label(), name_of(own), error.rule));
    return own;
  }
}

void require_mover(const ReadyScene& ready, const Scheme& scheme, const scene::LawChoice& choice) {
  try {
    require_law(ready, scheme, choice.law);
  } catch (const scene::ReadError& error) {
    if (choice.scheme || !std::holds_alternative<TimeStepping>(scheme) || !has_path(choice.law)) throw;
    throw scene::ReadError(error.place,
                           fmt::format("{}; {}{{scheme=event-driven}} does so here", error.rule, name_of(choice.law)));
  }
}

/// The laws that may move the scene; nothing has moved yet.
struct Movers {
  std::vector<Mover> movers;
  std::vector<record::ColumnTitle> columns;
  std::vector<std::string> left_out, remarks;
};

Movers movers_for(const ReadyScene& ready, const std::vector<std::string>& words) {
  Movers all;
  const bool e_matters = loses_energy(ready.model);
  all.left_out = try_laws(words, [&](const std::string& word) {
    const scene::LawChoice choice = scene::choose_law(word, ready.scene.law, ready.scene.document, ready.scene.scheme);
    require_new(all.columns, choice.label());
    std::vector<std::string> remarks;
    const Scheme scheme = scheme_for(ready, choice, remarks);
    require_mover(ready, scheme, choice);
    if (!words.empty()) require_start(ready, scheme);
    all.remarks.insert(all.remarks.end(), remarks.begin(), remarks.end());
    if (e_matters && !reads(choice.law, "e"))
      all.remarks.push_back(fmt::format("{} does not read e of the contacts", choice.label()));
    all.columns.push_back({choice.law, choice.settings, std::string(name_of(scheme))});
    all.movers.push_back({choice, scheme});
  });
  if (all.movers.empty()) throw scene::located(InputError("", "no law applies: " + all.left_out.front()), ready.scene);
  require_start(ready, all.movers.front().scheme);
  return all;
}

/// Folders of the columns' results: no two alike.
std::vector<std::filesystem::path> folders_of(const std::vector<Mover>& movers, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> folders;
  for (const Mover& one : movers) {
    const std::string name = one.choice.file_name();
    std::filesystem::path path = folder / name;
    for (int i = 2; std::find(folders.begin(), folders.end(), path) != folders.end(); ++i)
      path = folder / fmt::format("{}-{}", name, i);
    folders.push_back(path);
  }
  return folders;
}

}  // namespace

ComparedImpacts compare_impacts(const scene::ProblemFile& file, const std::vector<std::string>& laws, Inside inside,
                                const Waiter& waiter) {
  ComparedImpacts result;
  SolveOptions how = file.how();
  how.watch = waiter.watch;
  std::size_t number = 0, count = laws.size();
  if (laws.empty()) for_each_law([&](const auto&) { ++count; });
  std::vector<std::string> too_late;
  result.left_out = try_laws(laws, [&](const std::string& word) {
    const scene::LawChoice choice = scene::choose_law(word, file.law, file.document);
    require_new(result.columns, choice.label());
    ++number;
    if (!result.outcomes.empty() && waiter.watch != nullptr && waiter.watch->is_cancelled()) {
      too_late.push_back(fmt::format("{} is left out: the time was over before it began", choice.label()));
      return;
    }
    if (waiter.begins) waiter.begins(choice.label(), number, count);
    Path path;
    const bool follow = inside == Inside::kept && has_path(choice.law);
    if (follow) path.most_states = longest_path(file.problem);
    result.outcomes.push_back(
        with_places(file, [&] { return solve(file.problem, choice.law, follow ? &path : nullptr, how); }));
    result.columns.push_back({choice.law, choice.settings});
    if (inside == Inside::kept) result.paths.push_back(std::move(path));
  });
  if (result.outcomes.empty())
    throw scene::located(InputError("", "no law applies: " + result.left_out.front()), file.document);
  result.left_out.insert(result.left_out.end(), too_late.begin(), too_late.end());
  result.not_reading_e = not_reading_e(file, result.columns);
  return result;
}

std::vector<record::ComparedRun> ComparedRuns::compared(const Model& model) const {
  std::vector<record::ComparedRun> all;
  for (std::size_t i = 0; i < runs.size(); ++i)
    all.push_back({columns[i], &runs[i].summary, &runs[i].document, first[i].impacts(model), first[i].one_by_one()});
  return all;
}

ComparedRuns compare_runs(const ReadyScene& ready, const std::vector<std::string>& laws,
                          const std::filesystem::path& folder, const Control& control, Reports reports) {
  Movers all = movers_for(ready, laws);
  const std::vector<std::filesystem::path> folders = folders_of(all.movers, folder);
  ComparedRuns result;
  result.left_out = std::move(all.left_out);
  result.remarks = std::move(all.remarks);
  for (std::size_t i = 0; i < all.movers.size(); ++i) {
    const auto& [choice, scheme] = all.movers[i];
    if (!result.runs.empty() && control.is_cancelled()) {
      result.left_out.push_back(fmt::format("{} is left out: cancelled before it began", choice.label()));
      continue;
    }
    record::FirstImpacts first(kFirstImpacts);
    Control own = control;
    if (control.progress)
      own.progress = [&](Progress now) {
        now.run = i + 1;
        now.runs = all.movers.size();
        control.progress(now);
      };
    result.runs.push_back(run_checked_scene(ready, scheme, choice.law, folder.empty() ? folder : folders[i], own,
                                            {.guest = &first, .report = reports == Reports::kept}));
    result.columns.push_back(std::move(all.columns[i]));
    result.first.push_back(std::move(first));
  }
  return result;
}

std::string comparison_text(const Model& model, const ComparedRuns& compared) {
  const std::vector<record::ComparedRun> columns = compared.compared(model);
  std::string text = record::comparison_text(compared.runs.front().title, model, columns);
  for (const std::vector<std::string>& lines :
       {record::agreement_words(model, columns), compared.remarks, compared.left_out})
    for (const std::string& line : lines) text += record::wrapped(line, record::kWidestTable) + "\n";
  return text;
}

}  // namespace carom::app

#include "carom/app/laboratory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>

#include "carom/app/compare.h"
#include "carom/app/lab_describe.h"
#include "carom/app/lab_keys.h"
#include "carom/app/pages.h"
#include "carom/app/problem.h"
#include "carom/app/scene_run.h"
#include "carom/model/forces.h"
#include "carom/record/outcome_json.h"
#include "carom/record/report_data.h"
#include "carom/scene/edit_scene.h"
#include "carom/scene/field.h"
#include "carom/scene/json.h"
#include "carom/scene/words.h"

namespace carom::app {
namespace {

using record::Json;
using scene::Field;

constexpr std::string_view kUsualName = "scene.toml", kQuestion = "question";

/// A question: what is asked, and how far its answer may go.
struct Question {
  scene::Document& document;
  const Control& control;
  const LabOptions& options;

  Field root() const { return scene::root_of(document); }
};

std::vector<std::string> texts_of(const Field& list, std::string_view expected) {
  std::vector<std::string> texts;
  const std::size_t count = scene::entries_of(list, expected).size();
  for (std::size_t i = 0; i < count; ++i) texts.push_back(scene::value_of<std::string>(scene::entry(list, i)));
  return texts;
}

std::optional<std::string> text_at(const Question& question, std::string_view key) {
  const std::optional<Field> field = scene::member(question.root(), key);
  return field ? std::optional(scene::value_of<std::string>(*field)) : std::nullopt;
}

std::vector<std::string> settings_of(const Question& question) {
  const std::optional<Field> set = scene::member(question.root(), "set");
  return set ? texts_of(*set, "a list of settings such as \"contact.e=0.5\"") : std::vector<std::string>();
}

Field needed(const Question& question, std::string_view key, std::string_view what) {
  if (const std::optional<Field> field = scene::member(question.root(), key)) return *field;
  throw InputError("", fmt::format("the question has no \"{}\": {}", key, what));
}

std::string scene_text(const Question& question) {
  return scene::value_of<std::string>(needed(question, "scene", "the scene, a TOML text"));
}

ReadyScene scene_of(const Question& question) {
  const std::string& folder = question.options.folder;
  using Allowed = scene::FilesBeside::Allowed;
  scene::SceneOptions options{.law = text_at(question, "law"), .settings = settings_of(question)};
  options.most_bodies = question.options.most_bodies;
  options.files = {folder.empty() ? Allowed::none : Allowed::below, folder};
  return parse_scene(scene_text(question), text_at(question, "name").value_or(std::string(kUsualName)), options);
}

/// The scene before anything moves, as a report of one state.
Json start_report(const ReadyScene& ready) {
  record::ReportData report(title_of(ready, ready.scene.scheme, ready.scene.law), ready.model);
  RunSummary summary;
  summary.status = RunStatus::not_finished;
  summary.message = "not run as yet";
  summary.t_end = ready.start.t;
  summary.ledger.kinetic = ready.model.M().kinetic_energy(ready.start.u);
  summary.ledger.potential = potential_energy(ready.model, ready.start);
  summary.ledger.start = summary.ledger.kinetic + summary.ledger.potential;
  report.state(ready.model, ready.start, summary.ledger);
  report.ended(summary);
  return report.json();
}

Json describe_all(const Question&) {
  return description_of_all();
}

Json check(const Question& question) {
  const ReadyScene ready = scene_of(question);
  return {{"check", record::check_json(ready.file, check_scene(ready))},
          {"start", start_report(ready)},
          {"paths", body_paths(ready.scene)},
          {"positions", body_positions(ready.scene)},
          {"keys", keys_of(ready.scene)}};
}

Json edit(const Question& question) {
  const Field set = needed(question, "set", "a list of {\"path\", \"value\"}");
  std::string text = scene_text(question);
  const std::size_t count = scene::entries_of(set, "a list of {\"path\", \"value\"}").size();
  for (std::size_t i = 0; i < count; ++i) {
    const Field one = scene::entry(set, i);
    scene::require_known_keys(one, std::array<std::string_view, 2>{"path", "value"});
    const auto path = scene::value_of<std::string>(scene::required_member(one, "path", "such as body[0].mass"));
    text = scene::with_value(text, path, *scene::required_member(one, "value", "what to set").node);
  }
  return {{"scene", text}};
}

Json run(const Question& question) {
  const ReadyScene ready = scene_of(question);
  SceneRun done = run_scene(ready, ready.scene.law, "", question.control, {.report = true});
  Json result = {{"text", record::run_text(done.title, ready.model, done.summary)}};
  result["summary"] = std::move(done.document);
  result["report"] = std::move(done.report);
  return result;
}

Json compare(const Question& question) {
  const ReadyScene ready = scene_of(question);
  const std::optional<Field> laws = scene::member(question.root(), "laws");
  const std::vector<std::string> words =
      laws ? texts_of(*laws, "a list of laws such as \"newton\"") : std::vector<std::string>();
  ComparedRuns compared = compare_runs(ready, words, "", question.control, Reports::kept);
  Json result = {{"text", comparison_text(ready.model, compared)}};
  result["table"] = record::comparison_table(ready.model, compared.compared(ready.model)).json();
  result["sentences"] = comparison_sentences(ready, compared);
  result["comparison"] = record::to_json(ready.file, ready.model, compared.compared(ready.model), compared.left_out);
  result["reports"] = Json::array();
  for (std::size_t i = 0; i < compared.runs.size(); ++i) {
    Json& report = compared.runs[i].report;
    report["label"] = compared.columns[i].label();
    result["reports"].push_back(std::move(report));
  }
  return result;
}

/// The problem stands in the question, or is a text in it.
scene::Document problem_of(const Question& question) {
  scene::Document problem;
  const Field field = needed(question, "problem", "a problem, an object or its text");
  if (const std::string* text = field.node->text()) return scene::parse_json(*text, "problem.json");
  if (!field.node->object()) scene::fail_expected(field, "an object, or its text");
  problem.file = "problem.json";
  problem.root = std::move(question.document.root.find("problem")->value);
  return problem;
}

Json impact(const Question& question) {
  const scene::Overrides overrides{.law = text_at(question, "law"), .settings = settings_of(question)};
  const scene::ProblemFile file = scene::read_problem(problem_of(question), overrides);
  return {{"outcome", record::to_json(solve_impact(file).outcome, file.problem.contacts)}};
}

/// Everything that can be asked.
struct LabVerb {
  std::string_view name;
  bool takes_long, tells_progress;
  Json (*answer)(const Question& question);
  std::array<std::string_view, 5> keys;  // of its question
};
constexpr std::array<LabVerb, 6> kVerbs = {{{"describe", false, false, describe_all, {}},
                                            {"check", false, false, check, {"scene", "name", "law", "set"}},
                                            {"edit", false, false, edit, {"scene", "set"}},
                                            {"run", true, true, run, {"scene", "name", "law", "set"}},
                                            {"compare", true, true, compare, {"scene", "name", "set", "laws"}},
                                            {"impact", true, false, impact, {"problem", "law", "set"}}}};

const LabVerb* find_verb(std::string_view name) {
  const auto* found = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const LabVerb& one) { return one.name == name; });
  return found == kVerbs.end() ? nullptr : found;
}

std::string failure(Json error) {
  return Json{{"ok", false}, {"error", std::move(error)}}.dump();
}

std::string failure(const scene::ReadError& error) {
  const bool is_in_question = error.place.starts_with(kQuestion);  // not in what people write
  Json json = {{"message", error.at && !is_in_question ? error.rule : std::string(error.what())}};
  if (error.at && !is_in_question) json["line"] = error.at->line;
  if (error.at && !is_in_question) json["column"] = error.at->column;
  if (!error.path.empty()) json["place"] = error.path;
  return failure(std::move(json));
}

Json answer_of(const LabVerb& verb, std::string_view body, const Control& control, const LabOptions& options) {
  if (body.size() > options.most_bytes)
    throw InputError("",
                     fmt::format("the question has {} bytes; at most {} are read", body.size(), options.most_bytes));
  scene::Document document = scene::parse_json(body, std::string(kQuestion));
  const Question question{document, control, options};
  std::vector<std::string_view> known;
  for (const std::string_view key : verb.keys)
    if (!key.empty()) known.push_back(key);
  scene::require_known_keys(question.root(), known);
  return verb.answer(question);
}

}  // namespace

bool is_lab_verb(std::string_view verb) {
  return find_verb(verb) != nullptr;
}

bool takes_long(std::string_view verb) {
  const LabVerb* found = find_verb(verb);
  return found && found->takes_long;
}

bool tells_progress(std::string_view verb) {
  const LabVerb* found = find_verb(verb);
  return found && found->tells_progress;
}

std::string refusal(std::string_view message) {
  return failure(Json{{"message", message}});
}

std::string answer(std::string_view verb, std::string_view body, const Control& control, const LabOptions& options) {
  try {
    const LabVerb* found = find_verb(verb);
    if (!found) {
      std::vector<std::string_view> names;
      for (const LabVerb& one : kVerbs) names.push_back(one.name);
      return refusal(fmt::format("{} is no verb; verbs are {}", scene::in_quotes(verb), scene::listed(names)));
    }
    return "{\"ok\":true," + answer_of(*found, body, control, options).dump().substr(1);
  } catch (const scene::ReadError& error) {
    return failure(error);
  } catch (const InputError& error) {
    Json json = {{"message", error.what()}};
    if (!error.place.empty()) json["place"] = error.place;
    return failure(std::move(json));
  } catch (const std::bad_alloc&) {
    return refusal("there is not enough memory for this");
  } catch (const std::exception& error) {
    return refusal(error.what());
  }
}

}  // namespace carom::app

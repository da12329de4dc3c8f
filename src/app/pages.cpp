#include "carom/app/pages.h"

#include <fmt/format.h>

#include <filesystem>

#include "carom/record/agreement.h"
#include "carom/record/report_html.h"

namespace carom::app {
namespace {

void append(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

/// What the file says of itself, in a heading and below it.
record::ImpactsToSee titled(const scene::ProblemFile& file, const record::ImpactScene* scene) {
  record::ImpactsToSee seen;
  seen.title = scene != nullptr ? scene->title : std::filesystem::path(file.document.file).stem().string();
  if (scene == nullptr) seen.about = file.about;
  seen.problem = &file.problem;
  seen.scene = scene;
  return seen;
}

}  // namespace

void require_page() {
  if (!record::has_report()) throw InputError("--report", "this tool was built without its viewer (node and npm)");
}

std::vector<std::string> comparison_sentences(const ReadyScene& ready, const ComparedRuns& compared) {
  std::vector<std::string> sentences = record::agreement_words(ready.model, compared.compared(ready.model));
  append(sentences, compared.remarks);
  append(sentences, compared.left_out);
  return sentences;
}

std::string comparison_page(const ReadyScene& ready, const ComparedRuns& compared) {
  const scene::Scene& scene = ready.scene;
  record::Json json = {{"format", "carom-comparison-report/1"},
                       {"title", scene.title.empty() ? ready.file : scene.title},
                       {"about", scene.about},
                       {"table", record::comparison_table(ready.model, compared.compared(ready.model)).json()},
                       {"sentences", comparison_sentences(ready, compared)}};
  json["reports"] = record::Json::array();
  for (std::size_t i = 0; i < compared.runs.size(); ++i) {
    record::Json report = compared.runs[i].report;
    report["label"] = compared.columns[i].label();
    json["reports"].push_back(std::move(report));
  }
  return record::page_with(record::report_page(), json);
}

std::string impact_page(const scene::ProblemFile& file, const ComparedImpacts& compared,
                        const std::vector<std::string>& remarks, const record::ImpactScene* scene) {
  record::ImpactsToSee seen = titled(file, scene);
  seen.columns = compared.columns;
  seen.outcomes = compared.outcomes;
  seen.paths = compared.paths;
  append(seen.sentences, record::agreement_words(file.problem, compared.outcomes, compared.columns));
  for (const std::string& law : compared.not_reading_e)
    seen.sentences.push_back(fmt::format("{} does not read e of the contacts", law));
  append(seen.sentences, compared.left_out);
  append(seen.sentences, remarks);
  return record::page_with(record::report_page(), record::impact_report(seen));
}

std::string impact_page(const scene::ProblemFile& file, const SolvedImpact& impact,
                        const std::vector<std::string>& remarks, const record::ImpactScene* scene) {
  record::ImpactsToSee seen = titled(file, scene);
  seen.columns = {{*file.law}};
  seen.outcomes = {impact.outcome};
  if (impact.path) seen.paths = {*impact.path};
  append(seen.sentences, impact.outcome.remarks);
  append(seen.sentences, remarks);
  return record::page_with(record::report_page(), record::impact_report(seen));
}

}  // namespace carom::app

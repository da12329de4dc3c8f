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
record::ImpactsToSee titled(const scene::ProblemFile& file) {
  record::ImpactsToSee seen;
  seen.title = file.about.empty() ? std::filesystem::path(file.document.file).stem().string() : file.about;
  seen.problem = &file.problem;
  return seen;
}

}  // namespace

void require_page() {
  if (!record::has_report()) throw InputError("--report", "this tool was built without its viewer (node and npm)");
}

std::string impact_page(const scene::ProblemFile& file, const ComparedImpacts& compared,
                        const std::vector<std::string>& remarks, const record::ImpactScene* scene) {
  record::ImpactsToSee seen = titled(file);
  seen.columns = compared.columns;
  seen.outcomes = compared.outcomes;
  seen.paths = compared.paths;
  seen.scene = scene;
  append(seen.sentences, record::agreement_words(file.problem, compared.outcomes, compared.columns));
  for (const std::string& law : compared.not_reading_e)
    seen.sentences.push_back(fmt::format("{} does not read e of the contacts", law));
  append(seen.sentences, compared.left_out);
  append(seen.sentences, remarks);
  return record::page_with(record::report_page(), record::impact_report(seen));
}

std::string impact_page(const scene::ProblemFile& file, const SolvedImpact& impact,
                        const std::vector<std::string>& remarks, const record::ImpactScene* scene) {
  record::ImpactsToSee seen = titled(file);
  seen.columns = {{*file.law}};
  seen.outcomes = {impact.outcome};
  if (impact.path) seen.paths = {*impact.path};
  seen.scene = scene;
  append(seen.sentences, impact.outcome.remarks);
  append(seen.sentences, remarks);
  return record::page_with(record::report_page(), record::impact_report(seen));
}

}  // namespace carom::app

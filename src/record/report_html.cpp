#include "carom/record/report_html.h"

#include "carom/record/output_file.h"

namespace carom::record {

ReportHtml::ReportHtml(const RunTitle& title, const Model& model, const std::filesystem::path& folder)
    : path_(folder / file), data_(title, model) {}

void ReportHtml::state(const Model& model, const State& state, const Ledger& ledger) {
  data_.state(model, state, ledger);
}

void ReportHtml::impact(const Model& model, const ImpactEvent& event) {
  data_.impact(model, event);
}

void ReportHtml::contacts(const Model& model, double t, const std::vector<ContactForce>& forces) {
  data_.contacts(model, t, forces);
}

void ReportHtml::joints(const Model& model, double t, const std::vector<JointForce>& forces) {
  data_.joints(model, t, forces);
}

void ReportHtml::event(const Model& model, const RunEvent& event) {
  data_.event(model, event);
}

void ReportHtml::closure(const Model& model, const ContactClosure& closure) {
  data_.closure(model, closure);
}

void ReportHtml::ended(const Model&, const RunSummary& summary) {
  data_.ended(summary);
}

void ReportHtml::close() {
  write_file(path_, page_with(report_page(), data_.json()));
}

std::string page_with(std::string_view page, const Json& data) {
  const std::size_t mark = page.find(report_mark);
  if (mark == std::string_view::npos) return std::string(page);
  std::string text(page.substr(0, mark));
  for (const char letter : data.dump())  // nothing in it may end the element that it stands in
    if (letter == '<')
      text += "\\u003c";
    else
      text += letter;
  return text += page.substr(mark + report_mark.size());
}

}  // namespace carom::record

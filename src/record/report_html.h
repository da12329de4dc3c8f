#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "carom/record/report_data.h"
#include "carom/record/report_page.h"
#include "carom/record/run_sink.h"

namespace carom::record {

/// report.html: one page that shows the run moving, with plots and tables, and needs nothing else.
class ReportHtml : public RunSink {
 public:
  static constexpr std::string_view format = "report", file = "report.html";
  static constexpr bool has_impacts = false;
  static constexpr bool told_forces = true;
  static constexpr bool has_own_key = true;  // record.report, no word of record.formats
  static std::string_view missing() { return has_report() ? "" : "its viewer (node and npm)"; }

  ReportHtml(const RunTitle& title, const Model& model, const std::filesystem::path& folder);
  void state(const Model& model, const State& state, const Ledger& ledger) override;
  void impact(const Model& model, const ImpactEvent& event) override;
  void contacts(const Model& model, double t, const std::vector<ContactForce>& forces) override;
  void joints(const Model& model, double t, const std::vector<JointForce>& forces) override;
  void event(const Model& model, const RunEvent& event) override;
  void closure(const Model& model, const ContactClosure& closure) override;
  void ended(const Model& model, const RunSummary& summary) override;
  void close() override;

  /// The data of the page.
  Json json() const { return data_.json(); }

 private:
  std::filesystem::path path_;
  ReportData data_;
};

/// A page with data in it.
std::string page_with(std::string_view page, const Json& data);

}  // namespace carom::record

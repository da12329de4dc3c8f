#pragma once

#include "carom/record/json.h"
#include "carom/record/report_frames.h"
#include "carom/record/report_impacts.h"
#include "carom/record/run_summary.h"

namespace carom::record {

/// What a page shows of a run, "carom-report/1" (docs/report.md): watches the run and keeps its data, thinned so that
/// they stay below some twenty megabytes.
class ReportData : public Observer {
 public:
  ReportData(const RunTitle& title, const Model& model);
  bool wants_forces() const override { return true; }
  bool wants_problems() const override { return false; }
  void state(const Model& model, const State& state, const Ledger& ledger) override;
  void impact(const Model& model, const ImpactEvent& event) override;
  void contacts(const Model& model, double t, const std::vector<ContactForce>& forces) override;
  void joints(const Model& model, double t, const std::vector<JointForce>& forces) override;
  void event(const Model& model, const RunEvent& event) override;
  void closure(const Model& model, const ContactClosure& closure) override;
  void ended(const RunSummary& summary);

  Json json() const;

 private:
  const Model& model_;
  Json title_, scene_, ended_, events_ = Json::array(), closures_ = Json::array();
  long event_count_ = 0, closure_count_ = 0;
  ReportFrames frames_;
  ReportImpacts impacts_;
  ReportInside inside_;
};

}  // namespace carom::record

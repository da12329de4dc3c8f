#include "carom/record/report_data.h"

#include "carom/base/word.h"
#include "carom/record/packed.h"
#include "carom/record/report_scene.h"

namespace carom::record {
namespace {

constexpr long kMostEvents = 3000, kMostClosures = 3000;
constexpr std::size_t kMostText = 200'000;  // bytes of the scene as text

Json title_json(const RunTitle& title, const Model& model) {
  Json gravity = Json::array();
  for (const double value : model.description().gravity) gravity.push_back(value);
  Json json = {{"scene", title.scene},
               {"title", title.title},
               {"about", title.about},
               {"law", title.law},
               {"scheme", name_of(title.scheme)},
               {"in_forces", std::holds_alternative<ForcedMotion>(title.scheme)},
               {"duration", title.duration},
               {"interval", title.interval},
               {"dimension", static_cast<int>(model.dimension())},
               {"gravity", std::move(gravity)},
               {"text", title.text.size() > kMostText ? std::string() : title.text},
               {"options", title.options}};
  if (model.description().periodic.isZero()) return json;
  Json& periodic = json["periodic"] = Json::array();
  for (const double value : model.description().periodic) periodic.push_back(value);
  return json;
}

}  // namespace

ReportData::ReportData(const RunTitle& title, const Model& model)
    : model_(model), title_(title_json(title, model)), frames_(model), inside_(title.how) {}

void ReportData::state(const Model& model, const State& state, const Ledger& ledger) {
  if (scene_ == Json()) scene_ = scene_to_see(model, state);
  frames_.state(model, state, ledger);
}

void ReportData::impact(const Model& model, const ImpactEvent& event) {
  frames_.impact(model, event);
  impacts_.impact(model, event);
  inside_.impact(model, event, impacts_.count());
}

void ReportData::contacts(const Model& model, double, const std::vector<ContactForce>& forces) {
  frames_.contacts(model, forces);
}

void ReportData::joints(const Model& model, double, const std::vector<JointForce>& forces) {
  frames_.joints(model, forces);
}

void ReportData::event(const Model&, const RunEvent& event) {
  if (event_count_++ >= kMostEvents) return;
  events_.push_back({{"t", event.t}, {"event", word(event.kind)}, {"what", event.what}, {"detail", event.detail}});
}

void ReportData::closure(const Model& model, const ContactClosure& closure) {
  if (closure_count_++ >= kMostClosures) return;
  closures_.push_back({{"t", closure.begin},
                       {"contact", name_of(model, closure.parts, "-")},
                       {"duration", six_digits(closure.end - closure.begin)},
                       {"peak", six_digits(closure.peak_force)},
                       {"t_peak", closure.peak_time},
                       {"deepest", six_digits(closure.deepest)},
                       {"impulse", six_digits(closure.impulse)},
                       {"approach", six_digits(closure.approach)},
                       {"departure", six_digits(closure.departure)},
                       {"dissipated", six_digits(closure.dissipated)}});
}

void ReportData::ended(const RunSummary& summary) {
  ended_ = {{"status", to_string(summary.status)},
            {"message", summary.message},
            {"sentence", sentence(summary)},
            {"t_end", summary.t_end},
            {"impacts", summary.impacts},
            {"inconsistent", summary.inconsistent},
            {"approximate_steps", summary.approximations.steps},
            {"worst_residual", six_digits(worst_residual(summary))},
            {"energy_error", six_digits(summary.ledger.error())},
            {"start", summary.ledger.start},
            {"correction", summary.ledger.correction},
            {"seconds", six_digits(summary.seconds)}};
}

Json ReportData::json() const {
  Json json = {{"format", "carom-report/1"}, {"run", title_}, {"end", ended_}};
  json["scene"] = scene_;
  json["frames"] = frames_.json(model_);
  json["impacts"] = impacts_.json();
  json["impact_count"] = impacts_.count();
  json["inside"] = inside_.json(model_);
  json["events"] = events_;
  json["event_count"] = event_count_;
  json["closures"] = closures_;
  json["closure_count"] = closure_count_;
  return json;
}

}  // namespace carom::record

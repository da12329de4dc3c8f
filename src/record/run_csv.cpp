#include "carom/record/run_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "carom/base/error.h"
#include "carom/record/csv.h"

namespace carom::record {
namespace {

std::string csv_list(const Vector& values) {
  std::string text;
  for (Index i = 0; i < values.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : " ", values[i]);
  return text;
}

std::vector<std::string_view> columns_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::line:
      return {"x", "vx"};
    case Dimension::plane:
      return {"x", "y", "angle", "vx", "vy", "spin"};
    default:
      return {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"};
  }
}

}  // namespace

TrajectoryCsv::TrajectoryCsv(const RunTitle& title, const Model& model, const std::filesystem::path& folder)
    : file_(folder / file), stores_(std::holds_alternative<ForcedMotion>(title.scheme)) {
  row_ = "t";
  for (const Body& body : model.bodies()) {
    if (!body.is_free()) continue;
    for (const std::string_view column : columns_of(model.dimension()))
      row_ += "," + csv_field(fmt::format("{}.{}", body.name, column));
  }
  row_ += ",kinetic,potential,dissipated_impacts,dissipated_dampers,dissipated_slip,work";
  row_ += stores_ ? ",stored\n" : "\n";
  file_.write(row_);
}

void TrajectoryCsv::state(const Model& model, const State& state, const Ledger& ledger) {
  row_ = fmt::format("{}", state.t);
  const auto out = std::back_inserter(row_);
  const Index axes = static_cast<Index>(model.dimension());
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const Index q = model.first_position(body), u = model.first_velocity(body);
    if (q < 0) continue;
    const Index turns = axes == 1 ? 0 : axes == 2 ? 1 : 4;
    for (Index i = 0; i < axes + turns; ++i) fmt::format_to(out, ",{}", state.q[q + i]);
    const Twist twist = model.twist(body, state);
    for (Index i = 0; i < axes; ++i) fmt::format_to(out, ",{}", state.u[u + i]);
    if (axes == 2) fmt::format_to(out, ",{}", state.u[u + 2]);
    if (axes == 3) fmt::format_to(out, ",{},{},{}", twist.angular.x(), twist.angular.y(), twist.angular.z());
  }
  fmt::format_to(out, ",{},{},{},{},{},{}", ledger.kinetic, ledger.potential, ledger.dissipated_impacts,
                 ledger.dissipated_dampers, ledger.dissipated_slip, ledger.work);
  if (stores_) fmt::format_to(out, ",{}", ledger.stored);
  row_ += '\n';
  file_.write(row_);
}

ImpactsCsv::ImpactsCsv(const RunTitle&, const Model&, const std::filesystem::path& folder) : file_(folder / file) {
  file_.write(
      "t,bodies,contacts,law,status,at_rest,approach,gamma_minus,gamma_plus,impulse,energy_before,energy_after,"
      "wall_work,dissipated,penetration,pull,energy_created,ledger,consistent\n");
}

void ImpactsCsv::impact(const Model& model, const ImpactEvent& event) {
  const ImpactOutcome& outcome = *event.outcome;
  std::string bodies;
  for (const int body : event.bodies) bodies += (bodies.empty() ? "" : ";") + model.bodies()[body].name;
  std::string contacts;
  for (const Contact& contact : event.problem->contacts) contacts += (contacts.empty() ? "" : ";") + contact.name;
  const Vector gamma_minus = outcome.normal(outcome.gamma_minus);
  const bool solved = outcome.u_plus.size() > 0;
  const Certificate::Residuals& residuals = outcome.certificate.absolute;
  row_.clear();
  fmt::format_to(std::back_inserter(row_), "{},{},{},{},{},{},{},{},{},{},", event.t, csv_field(bodies),
                 csv_field(contacts), outcome.law, to_string(outcome.status), event.at_rest ? "true" : "false",
                 gamma_minus.size() > 0 ? std::max(0.0, -gamma_minus.minCoeff()) : 0.0, csv_list(gamma_minus),
                 solved ? csv_list(outcome.normal(outcome.gamma_plus)) : "",
                 solved ? csv_list(outcome.normal(outcome.Lambda)) : "");
  fmt::format_to(std::back_inserter(row_), "{},{},{},{},{},{},{},{},{}\n", outcome.energy.before, outcome.energy.after,
                 outcome.energy.wall_work, solved ? outcome.energy.dissipated() : 0.0, residuals.kinematic,
                 residuals.kinetic, residuals.energetic, residuals.ledger,
                 outcome.certificate.consistent ? "true" : "false");
  file_.write(row_);
}

}  // namespace carom::record

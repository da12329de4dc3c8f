#include "carom/record/run_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "carom/base/error.h"
#include "carom/record/csv.h"
#include "carom/record/impact_vectors.h"

namespace carom::record {
namespace {

std::string csv_list(const Vector& values) {
  std::string text;
  for (Index i = 0; i < values.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " ", values[i] == 0 ? 0 : values[i]);
  return text;
}

std::vector<std::string_view> columns_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::line:
      return {"x [m]", "vx [m/s]"};
    case Dimension::plane:
      return {"x [m]", "y [m]", "angle [rad]", "vx [m/s]", "vy [m/s]", "spin [rad/s]"};
    default:
      return {"x [m]",    "y [m]",    "z [m]",    "qw",         "qx",         "qy",        "qz",
              "vx [m/s]", "vy [m/s]", "vz [m/s]", "wx [rad/s]", "wy [rad/s]", "wz [rad/s]"};
  }
}

double plane_angle(const Model& model, int body, const State& state) {
  const Index q = model.first_position(body);
  if (q >= 0) return state.q[q + 2];
  const Prescribed& told = *model.bodies()[body].prescribed;
  const double start = 2 * std::atan2(told.start.z(), told.start.w());
  return start + told.angle.at(state.t).value * told.axis.z();
}

void add_numbers(std::string& row, const Vector3& v, Index count) {
  for (Index i = 0; i < count; ++i) fmt::format_to(std::back_inserter(row), ",{}", v[i]);
}

void add_body(std::string& row, const Model& model, int body, const State& state) {
  const Index axes = static_cast<Index>(model.dimension()), q = model.first_position(body);
  const Pose pose = model.pose(body, state);
  const Twist twist = model.twist(body, state);
  add_numbers(row, pose.position, axes);
  const auto out = std::back_inserter(row);
  if (axes == 2) fmt::format_to(out, ",{}", plane_angle(model, body, state));
  if (axes == 3 && q >= 0)
    for (Index i = 3; i < 7; ++i) fmt::format_to(out, ",{}", state.q[q + i]);
  if (axes == 3 && q < 0) {
    const Quaternion& turn = pose.orientation;
    fmt::format_to(out, ",{},{},{},{}", turn.w(), turn.x(), turn.y(), turn.z());
  }
  add_numbers(row, twist.velocity, axes);
  if (axes == 2) fmt::format_to(out, ",{}", twist.angular.z());
  if (axes == 3) add_numbers(row, twist.angular, axes);
}

/// One text each.
template <class Text>
std::string one_by_one(const std::vector<std::size_t>& told, std::string_view between, Text&& text) {
  std::string all;
  for (const std::size_t i : told) {
    if (i != told.front()) all += between;
    all += text(i);
  }
  return all;
}

std::string vector_text(const Model& model, const Vector3& v) {
  const Vector own = v.head(static_cast<Index>(model.dimension()));
  return csv_list(own);
}

/// The velocities of the bodies of an impact, "vx vy spin" each: of their centres and of turning, in the world.
std::string velocities_text(const Model& model, const ImpactEvent& event, const std::vector<std::size_t>& bodies,
                            const Vector& u) {
  if (u.size() == 0) return "";
  return one_by_one(bodies, ";", [&](std::size_t i) {
    const Twist twist = twist_in(model, event, i, u);
    const std::string velocity = vector_text(model, twist.velocity);
    switch (model.dimension()) {
      case Dimension::line:
        return velocity;
      case Dimension::plane:
        return velocity + " " + csv_list(twist.angular.tail<1>());
      default:
        return velocity + " " + csv_list(twist.angular);
    }
  });
}

}  // namespace

bool moves(const Body& body) {
  if (body.is_free()) return true;
  const Prescribed& told = *body.prescribed;
  return !told.angle.is_constant() || std::any_of(told.position.begin(), told.position.end(),
                                                  [](const TimeFunction& one) { return !one.is_constant(); });
}

TrajectoryCsv::TrajectoryCsv(const RunTitle&, const Model& model, const std::filesystem::path& folder)
    : file_(folder / file) {
  row_ = "t [s]";
  for (const Body& body : model.bodies()) {
    if (!moves(body)) continue;
    for (const std::string_view column : columns_of(model.dimension()))
      row_ += "," + csv_field(fmt::format("{}.{}", body.name, column));
  }
  row_ +=
      ",kinetic [J],potential [J],stored [J],dissipated_impacts [J],dissipated_dampers [J],dissipated_slip [J],"
      "work [J]\n";
  file_.write(row_);
}

void TrajectoryCsv::state(const Model& model, const State& state, const Ledger& ledger) {
  row_ = fmt::format("{}", state.t);
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body)
    if (moves(model.bodies()[body])) add_body(row_, model, body, state);
  fmt::format_to(std::back_inserter(row_), ",{},{},{},{},{},{},{}\n", ledger.kinetic, ledger.potential, ledger.stored,
                 ledger.dissipated_impacts, ledger.dissipated_dampers, ledger.dissipated_slip, ledger.work);
  file_.write(row_);
}

ImpactsCsv::ImpactsCsv(const RunTitle&, const Model&, const std::filesystem::path& folder) : file_(folder / file) {
  file_.write(
      "t [s],bodies,contacts,law,status,at_rest,approach [m/s],gamma_minus [m/s],gamma_plus [m/s],impulse [N s],"
      "tangential_impulse [N s],points [m],normals,velocities_before [m/s and rad/s],"
      "velocities_after [m/s and rad/s],peak_force [N],duration [s],energy_before [J],energy_after [J],wall_work [J],"
      "dissipated [J],penetration [m/s],pull [N s],energy_created [J],ledger [J],consistent\n");
}

void ImpactsCsv::impact(const Model& model, const ImpactEvent& event) {
  const ImpactOutcome& outcome = *event.outcome;
  const std::vector<std::size_t> told = event.told_contacts(), bodies = event.told_bodies();
  const auto each_body = [&](auto&& text) { return one_by_one(bodies, ";", text); };
  const auto each_contact = [&](auto&& text) { return one_by_one(told, ";", text); };
  const auto numbers = [&](const Vector& all) {
    return one_by_one(told, " ", [&](std::size_t i) { return csv_list(all.segment<1>(static_cast<Index>(i))); });
  };
  const Vector gamma_minus = outcome.normal(outcome.gamma_minus);
  const bool solved = outcome.u_plus.size() > 0;
  const Certificate::Residuals& residuals = outcome.certificate.absolute;
  row_.clear();
  fmt::format_to(std::back_inserter(row_), "{},{},{},{},{},{},{},{},{},{},", event.t,
                 csv_field(each_body([&](std::size_t i) { return model.bodies()[event.bodies[i]].name; })),
                 csv_field(each_contact([&](std::size_t i) { return event.problem->contacts[i].name; })), outcome.law,
                 to_string(outcome.status), event.at_rest ? "true" : "false",
                 gamma_minus.size() > 0 ? std::max(0.0, -gamma_minus.minCoeff()) : 0.0, numbers(gamma_minus),
                 solved ? numbers(outcome.normal(outcome.gamma_plus)) : "",
                 solved ? numbers(outcome.normal(outcome.Lambda)) : "");
  const auto tangential = [&](std::size_t i) {
    const bool rubs = outcome.tangential(outcome.Lambda, i).size() > 0;
    return rubs ? vector_text(model, tangential_impulse(model, event, i)) : std::string();
  };
  fmt::format_to(std::back_inserter(row_), "{},{},{},{},{},{},{},", solved ? each_contact(tangential) : "",
                 each_contact([&](std::size_t i) { return vector_text(model, middle_of(model, event.pairs[i])); }),
                 each_contact([&](std::size_t i) { return vector_text(model, event.pairs[i].point.normal); }),
                 velocities_text(model, event, bodies, event.u_before),
                 velocities_text(model, event, bodies, event.u_after),
                 outcome.peak_force ? numbers(*outcome.peak_force) : "",
                 outcome.duration ? fmt::format("{}", *outcome.duration) : "");
  fmt::format_to(std::back_inserter(row_), "{},{},{},{},{},{},{},{},{}\n", outcome.energy.before, outcome.energy.after,
                 outcome.energy.wall_work, solved ? outcome.energy.dissipated() : 0.0, residuals.kinematic,
                 residuals.kinetic, residuals.energetic, residuals.ledger,
                 outcome.certificate.consistent ? "true" : "false");
  file_.write(row_);
}

}  // namespace carom::record

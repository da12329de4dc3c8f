#include "carom/record/block_report.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/record/json.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

Json pair(const analysis::Interval& interval) {
  return interval.empty() ? Json(nullptr) : Json::array({interval.least, interval.largest});
}

Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json friction_json(const analysis::RockingBlock& block, double mu) {
  const analysis::BlockFriction friction = block.friction(mu);
  return {{"mu", mu},
          {"e_c1_right", finite(friction.e_c1_right)},
          {"e_c1_left", friction.e_c1_left},
          {"e_c2", friction.e_c2},
          {"mu_c", friction.mu_c},
          {"mu_half_rocking", friction.mu_half_rocking},
          {"slenderness_right", friction.slenderness_right},
          {"slenderness_left", friction.slenderness_left},
          {"e21_slip_right", pair(friction.right)},
          {"e21_slip_left", pair(friction.left)},
          {"e21_sticking", pair(friction.sticking)},
          {"e1_half_rocking", pair(friction.half_rocking)}};
}

std::string degrees(double angle) {
  return number(angle * 180 / std::numbers::pi, 180);
}

std::string angles_text(const analysis::RockingBlock& block) {
  Table table({"the block", "value"});
  table.add({"slenderness l/L", number(block.height() / block.width())});
  table.add({"kinetic angle theta_12 [deg]", degrees(block.kinetic_angle())});
  table.add({"angle of corners that stick theta_H [deg]", degrees(block.housner_angle())});
  table.add({"critical tilt theta_c [deg]", degrees(block.critical_angle())});
  table.add({"ratio r if only B acts, sliding", number(block.sliding_ratio(), 1)});
  table.add({"ratio r if only B acts, sticking (Housner)", number(block.housner_ratio(), 1)});
  return table.text() + "\n";
}

void add_interval(Table& table, const std::string& motion, const std::string& coefficient,
                  const analysis::Interval& interval) {
  const bool none = interval.empty();
  table.add({motion, coefficient, none ? "none" : number(interval.least, 1), none ? "" : number(interval.largest, 1)});
}

std::string coefficients_text(const analysis::RockingBlock& block, const std::vector<double>& friction) {
  Table table({"motion", "coefficient", "least", "largest"});
  add_interval(table, "rocks, corners slide without friction", "e21 = -r", block.e21_sliding());
  add_interval(table, "rocks, corners stick", "e21 = -r", block.e21_sticking());
  add_interval(table, "half-rocks without friction", "e1 = r", block.r_half_rocking());
  for (const double mu : friction) {
    const analysis::BlockFriction found = block.friction(mu);
    table.add_rule();
    add_interval(table, fmt::format("mu = {}: rocks, slips to the right", mu), "e21", found.right);
    add_interval(table, "rocks, slips to the left", "e21", found.left);
    add_interval(table, "rocks, sticks", "e21", found.sticking);
    add_interval(table, "half-rocks, slips to the right", "e1", found.half_rocking);
  }
  return table.text();
}

}  // namespace

std::string BlockReport::json() const {
  Json result = {{"format", "carom-block/1"},
                 {"mass", block.mass()},
                 {"height", block.height()},
                 {"width", block.width()},
                 {"inertia", block.inertia()},
                 {"kinetic_angle", block.kinetic_angle()},
                 {"housner_angle", block.housner_angle()},
                 {"critical_angle", block.critical_angle()},
                 {"r_sliding", block.sliding_ratio()},
                 {"r_housner", block.housner_ratio()},
                 {"flat", block.flat()},
                 {"e21_sliding", pair(block.e21_sliding())},
                 {"e21_sticking", pair(block.e21_sticking())},
                 {"e1_half_rocking", pair(block.r_half_rocking())},
                 {"rebound_axes", block.rebound_axes()},
                 {"friction", Json::array()}};
  for (const double value : mu) result["friction"].push_back(friction_json(block, value));
  return result.dump(2) + "\n";
}

std::string BlockReport::text() const {
  return fmt::format("A {} block turns about corner A and hits the ground with corner B.\n\n",
                     block.flat() ? "flat" : "slender") +
         angles_text(block) + coefficients_text(block, mu) +
         "\nThe coefficients of a motion in which no corner pulls or penetrates and no energy is gained.\n";
}

}  // namespace carom::record

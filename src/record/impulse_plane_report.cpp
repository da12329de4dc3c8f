#include "carom/record/impulse_plane_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/record/json.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

Json path_json(const analysis::ImpulsePlane::Path& path) {
  Json result = {{"restitution", word(path.restitution)}, {"status", path.solved ? "solved" : "no-solution"}};
  if (!path.solved) return result;
  result["mode"] = path.mode;
  result["path"] = path.corners;
  result["compressed"] = path.compressed;
  result["end"] = path.end;
  result["termination"] = or_null(path.termination);
  result["coefficients"] = {
      {"newton", or_null(path.e_newton)}, {"poisson", or_null(path.e_poisson)}, {"stronge", or_null(path.e_stronge)}};
  return result;
}

std::string kind_words(const analysis::ImpactClass& kind) {
  if (kind.tangential) return "a tangential impact: the contact slips without closing and friction presses it together";
  return fmt::format("{}, {} impact: {}, {}", kind.central ? "a central" : "an eccentric",
                     kind.direct ? "direct" : "oblique",
                     kind.central ? "normal impulses leave the slip alone" : "normal impulses change the slip",
                     kind.direct ? "no slip beforehand" : "with slip beforehand");
}

std::string region_words(const analysis::ImpulsePlane& plane) {
  if (!plane.region) return "";
  constexpr std::array<const char*, 3> kRegions = {"1: slip does not stop", "2: slip stops in restitution",
                                                   "3: slip stops in compression"};
  std::string text = fmt::format("region {}", kRegions[*plane.region - 1]);
  if (*plane.region > 1) text += plane.mu >= plane.sticking_ratio ? " and the contact then sticks" : " and reverses";
  return fmt::format("{} (it would stick from mu = {} on)\n", text, number(plane.sticking_ratio));
}

std::string ratio_words(const analysis::ImpulsePlane& plane) {
  const auto bound = [](const std::optional<double>& value, const char* none) {
    return value ? number(*value, 1) : std::string(none);
  };
  return fmt::format("impulse ratio P_t/P_n with e = {}: {} ends without slip; from {} to {} creates no energy\n",
                     number(plane.e), bound(plane.critical_ratio, "none"), bound(plane.least_ratio, "-infinity"),
                     bound(plane.largest_ratio, "infinity"));
}

std::string lines_text(const analysis::ImpulsePlane& plane) {
  Table table({"line k0 + k1 P_n + k2 P_t = 0", "k0", "k1", "k2"});
  const auto add = [&](const std::string& name, const analysis::ImpulsePlane::Line& line) {
    table.add({name, number(line[0]), number(line[1]), number(line[2])});
  };
  add("sticking, c_t = 0", plane.sticking);
  add("maximum compression, c_n = 0", plane.compression);
  add("friction, slip > 0", plane.friction[0]);
  add("friction, slip < 0", plane.friction[1]);
  for (const analysis::ImpulsePlane::Path& path : plane.paths)
    if (path.termination) add(fmt::format("termination, {}", word(path.restitution)), *path.termination);
  return table.text();
}

std::string paths_text(const analysis::ImpulsePlane& plane) {
  Table table({"restitution", "mode", "P_n", "P_t", "P_n compressed", "e: velocities", "impulses", "work"});
  const auto coefficient = [](const std::optional<double>& e) { return e ? number(*e, 1) : std::string("-"); };
  for (const analysis::ImpulsePlane::Path& path : plane.paths) {
    const double scale = std::max(std::abs(path.end[0]), std::abs(path.end[1]));
    if (path.solved)
      table.add({std::string(word(path.restitution)), path.mode, number(path.end[0], scale), number(path.end[1], scale),
                 number(path.compressed[0], scale), coefficient(path.e_newton), coefficient(path.e_poisson),
                 coefficient(path.e_stronge)});
    else
      table.add({std::string(word(path.restitution)), "no solution", "-", "-", "-", "-", "-", "-"});
  }
  return table.text();
}

}  // namespace

std::string impulse_plane_json(const analysis::ImpulsePlane& plane) {
  Json result = {
      {"format", "carom-plane/1"},
      {"contact", plane.contact},
      {"class",
       {{"central", plane.kind.central}, {"direct", plane.kind.direct}, {"tangential", plane.kind.tangential}}}};
  result["B"] = Json::array({Json::array({plane.B_nn, plane.B_nt}), Json::array({plane.B_nt, plane.B_tt})});
  result["c_minus"] = plane.c_minus;
  result["e"] = plane.e;
  result["mu"] = plane.mu;
  result["lines"] = {{"sticking", plane.sticking},
                     {"compression", plane.compression},
                     {"friction", plane.friction},
                     {"termination_newton", plane.termination_newton}};
  result["points"] = {{"sticking_compression", or_null(plane.sticks_compressed)},
                      {"sticking_termination", or_null(plane.sticks_at_end)}};
  result["region"] = or_null(plane.region);
  result["sticking_ratio"] = plane.sticking_ratio;
  result["impulse_ratio"] = {{"critical", or_null(plane.critical_ratio)},
                             {"energy", Json::array({or_null(plane.least_ratio), or_null(plane.largest_ratio)})}};
  result["paths"] = Json::array();
  for (const analysis::ImpulsePlane::Path& path : plane.paths) result["paths"].push_back(path_json(path));
  return result.dump(2) + "\n";
}

std::string impulse_plane_text(const analysis::ImpulsePlane& plane) {
  return fmt::format("contact '{}' has {}\n{}{}\n{}\n{}", plane.contact, kind_words(plane.kind), region_words(plane),
                     ratio_words(plane), lines_text(plane), paths_text(plane));
}

}  // namespace carom::record

#include "record/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/contact_rules.h"
#include "record/table.h"

namespace carom::record {
namespace {

constexpr std::size_t kMostPairs = 12;  // in the table for people

std::string body_name(const Model& model, int body) {
  return model.bodies()[static_cast<std::size_t>(body)].name;
}

std::string counted(long count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

Json residuals_json(const Certificate::Residuals& residuals) {
  return {{"dynamics", residuals.dynamics},   {"kinematic", residuals.kinematic},
          {"kinetic", residuals.kinetic},     {"complementarity", residuals.complementarity},
          {"energetic", residuals.energetic}, {"ledger", residuals.ledger}};
}

Json books_json(const Books& books) {
  return {{"start", books.start},
          {"work", books.work},
          {"correction", books.correction},
          {"kinetic", books.kinetic},
          {"potential", books.potential},
          {"dissipated_impacts", books.dissipated_impacts},
          {"dissipated_dampers", books.dissipated_dampers},
          {"dissipated_slip", books.dissipated_slip},
          {"error", books.error()}};
}

Json bodies_json(const Model& model, const State& state) {
  Json bodies = Json::array();
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) {
    const Pose pose = model.pose(i, state);
    const Twist twist = model.twist(i, state);
    const auto list = [](const Vector3& v) { return Json{v.x(), v.y(), v.z()}; };
    const Quaternion& turn = pose.orientation;
    bodies.push_back({{"name", body_name(model, i)},
                      {"position", list(pose.position)},
                      {"orientation", {turn.w(), turn.x(), turn.y(), turn.z()}},
                      {"velocity", list(twist.velocity)},
                      {"angular_velocity", list(twist.angular)}});
  }
  return bodies;
}

std::string bodies_line(const Model& model) {
  const auto free =
      std::count_if(model.bodies().begin(), model.bodies().end(), [](const Body& b) { return b.is_free(); });
  std::string text = counted(free, "body", "bodies");
  const long walls = static_cast<long>(model.bodies().size()) - free;
  if (walls > 0) text += ", " + counted(walls, "wall", "walls");
  const long joints = static_cast<long>(model.description().joints.size());
  if (joints > 0) text += ", " + counted(joints, "joint", "joints");
  const long springs =
      static_cast<long>(model.description().springs.size() + model.description().torsion_springs.size());
  if (springs > 0) text += ", " + counted(springs, "spring", "springs");
  return text;
}

std::string impacts_line(const RunSummary& summary) {
  if (summary.impacts == 0) return "no impacts";
  std::string text = counted(summary.impacts, "impact", "impacts");
  if (summary.resting_impacts > 0) text += fmt::format(", of which {} came to rest", summary.resting_impacts);
  const std::size_t ends = summary.accumulation_times.size();
  if (ends > 0)
    text += fmt::format("; {} ended, the first at t = {:.10g} s",
                        counted(static_cast<long>(ends), "infinite sequence", "infinite sequences"),
                        summary.accumulation_times.front());
  return text;
}

std::string certificate_line(const RunSummary& summary) {
  if (summary.solved_problems == 0) return "nothing to certify";
  const std::string_view what = summary.solved_problems == summary.impacts ? "impact" : "step";
  if (summary.inconsistent == 0)
    return fmt::format("every {} is consistent (worst relative residual {:.1e})", what, worst_residual(summary));
  return fmt::format(
      "{} of {} {}s are not consistent: penetration up to {:.1e}, pull {:.1e}, energy created {:.1e} "
      "(relative); worst at t = {:.6g} s",
      summary.inconsistent, summary.solved_problems, what, summary.worst.kinematic, summary.worst.kinetic,
      summary.worst.energetic, summary.worst_time);
}

std::string energy_table(const Books& books) {
  const double scale =
      std::max({std::abs(books.start), books.kinetic, std::abs(books.potential), std::abs(books.work)});
  Table table({"energy [J]", "start", "end"});
  table.add({"kinetic + potential", number(books.start, scale), number(books.kinetic + books.potential, scale)});
  table.add({"  kinetic", "", number(books.kinetic, scale)});
  table.add({"  potential", "", number(books.potential, scale)});
  table.add({"work of loads and walls", number(books.work, scale), ""});
  if (books.correction != 0) table.add({"overlaps moved apart", number(books.correction, scale), ""});
  table.add({"lost in impacts", "", number(books.dissipated_impacts, scale)});
  if (books.dissipated_slip != 0) table.add({"lost in sliding", "", number(books.dissipated_slip, scale)});
  if (books.dissipated_dampers != 0) table.add({"lost in dampers", "", number(books.dissipated_dampers, scale)});
  table.add_rule();
  table.add({"sum", number(books.start + books.work + books.correction, scale),
             number(books.kinetic + books.potential + books.dissipated(), scale)});
  return table.text();
}

std::string losses_table(const Model& model, const RunSummary& summary) {
  std::vector<PairLoss> losses = summary.losses;
  std::stable_sort(losses.begin(), losses.end(),
                   [](const PairLoss& a, const PairLoss& b) { return a.dissipated > b.dissipated; });
  Table table({"contact", "impacts", "lost [J]"});
  for (std::size_t i = 0; i < std::min(losses.size(), kMostPairs); ++i)
    table.add({body_name(model, losses[i].body_a) + " - " + body_name(model, losses[i].body_b),
               fmt::format("{}", losses[i].impacts), number(losses[i].dissipated, summary.books.start)});
  std::string text = table.text();
  if (losses.size() > kMostPairs) text += fmt::format("and {} more pairs\n", losses.size() - kMostPairs);
  return text;
}

}  // namespace

Json to_json(const RunTitle& title, const Model& model, const RunSummary& summary,
             const std::vector<std::string>& files) {
  Json losses = Json::array();
  for (const PairLoss& loss : summary.losses)
    losses.push_back({{"bodies", {body_name(model, loss.body_a), body_name(model, loss.body_b)}},
                      {"impacts", loss.impacts},
                      {"dissipated", loss.dissipated}});
  return {{"format", "carom-run/1"},
          {"scene", title.scene},
          {"title", title.title},
          {"law", title.law},
          {"scheme", name_of(title.scheme)},
          {"status", to_string(summary.status)},
          {"message", summary.message},
          {"duration", title.duration},
          {"t_end", summary.t_end},
          {"impacts", summary.impacts},
          {"resting_impacts", summary.resting_impacts},
          {"accumulation_times", summary.accumulation_times},
          {"energy", books_json(summary.books)},
          {"contacts", losses},
          {"certificate",
           {{"inconsistent", summary.inconsistent},
            {"worst", residuals_json(summary.worst)},
            {"worst_time", summary.worst_time},
            {"consistent", summary.inconsistent == 0}}},
          {"deepest_penetration", summary.deepest_penetration},
          {"largest_joint_error", summary.largest_joint_error},
          {"bodies", bodies_json(model, summary.end)},
          {"files", files},
          {"cost", {{"steps", summary.steps}, {"evaluations", summary.evaluations}}}};
}

std::string heading(const RunTitle& title, const Model& model) {
  std::string text;
  if (!title.title.empty()) text += title.title + "\n";
  if (!title.about.empty()) text += title.about + "\n";
  return text + "\n" + bodies_line(model);
}

std::string contacts_text(const Model& model) {
  const ContactRules rules(model);
  std::vector<PartPair> kinds = rules.kinds();
  const auto same = [](const PartPair& a, const PartPair& b) { return a.body_a == b.body_a && a.body_b == b.body_b; };
  kinds.erase(std::unique(kinds.begin(), kinds.end(), same), kinds.end());
  if (kinds.empty()) return "nothing may touch\n";
  Table table({"contact", "e", "mu", "stiffness"});
  add_rows(table, kinds.size(), [&](std::size_t i) {
    const PairProperties known = rules.properties(kinds[i].body_a, kinds[i].body_b);
    const std::string stiffness = known.k ? fmt::format("{} N/m^{}", number(*known.k), number(known.eta))
                                  : rules.knows_stiffness(kinds[i]) ? "Hertz"
                                                                    : "not given";
    table.add({body_name(model, kinds[i].body_a) + " - " + body_name(model, kinds[i].body_b), number(known.e),
               number(known.mu), stiffness});
  });
  return table.text();
}

double worst_residual(const RunSummary& summary) {
  const Certificate::Residuals& worst = summary.worst;
  return std::max({worst.dynamics, worst.kinematic, worst.kinetic, worst.energetic, worst.ledger});
}

std::string computing_time(double seconds) {
  return seconds < 1 ? fmt::format("{:.0f} ms", 1e3 * seconds) : fmt::format("{:.1f} s", seconds);
}

std::string run_text(const RunTitle& title, const Model& model, const RunSummary& summary) {
  std::string text = heading(title, model);
  text += fmt::format(" for {} s: {}, {}\n", number(summary.t_end), title.law, name_of(title.scheme));
  text += impacts_line(summary) + "\n\n" + energy_table(summary.books);
  if (!summary.losses.empty()) text += "\n" + losses_table(model, summary);
  text += "\n" + certificate_line(summary) + "\n";
  const double scale = std::max(std::abs(summary.books.start), summary.books.kinetic);
  if (scale > 0) text += fmt::format("the energy balance closes to {:.1e}\n", std::abs(summary.books.error()) / scale);
  if (summary.status != RunStatus::solved) text += fmt::format("{}: {}\n", to_string(summary.status), summary.message);
  text += fmt::format("computed in {}\n", computing_time(summary.seconds));
  return text;
}

}  // namespace carom::record

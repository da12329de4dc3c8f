#include "carom/record/run_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "carom/record/short_names.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

constexpr double kNoticeable = 1e-9;      // of the energies: smaller corrections are rounding
constexpr std::size_t kMostPairs = 12;    // in the table for people
constexpr std::size_t kLongestPair = 52;  // characters, so that the table is no wider than a terminal
constexpr double kNothing = 1e-9;         // of the energies there are: less exchanged than that is nothing

std::string body_name(const Model& model, int body) {
  return model.bodies()[body].name;
}

std::string counted(long count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

Json residuals_json(const Certificate::Residuals& residuals) {
  return {{"dynamics", residuals.dynamics},   {"kinematic", residuals.kinematic},
          {"kinetic", residuals.kinetic},     {"complementarity", residuals.complementarity},
          {"energetic", residuals.energetic}, {"ledger", residuals.ledger}};
}

Json ledger_json(const Ledger& ledger) {
  return {{"start", ledger.start},
          {"work", ledger.work},
          {"correction", ledger.correction},
          {"kinetic", ledger.kinetic},
          {"potential", ledger.potential},
          {"stored", ledger.stored},
          {"dissipated_impacts", ledger.dissipated_impacts},
          {"dissipated_dampers", ledger.dissipated_dampers},
          {"dissipated_slip", ledger.dissipated_slip},
          {"error", ledger.error()}};
}

Json peak_json(const Model& model, const RunSummary& summary) {
  if (summary.peak_force <= 0) return nullptr;
  return {{"force", summary.peak_force},
          {"time", summary.peak_time},
          {"bodies", {body_name(model, summary.peak_parts.body_a), body_name(model, summary.peak_parts.body_b)}}};
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

/// A time that is known to a small part of the run: digits down to a millionth of its length.
std::string time_text(double t, double duration) {
  const int digits = duration > 0 ? 6 - static_cast<int>(std::ceil(std::log10(duration))) : 6;
  return fmt::format("{:.{}f}", t, std::clamp(digits, 0, 15));
}

std::string impacts_line(const RunSummary& summary) {
  if (summary.impacts == 0) return "no impacts";
  std::string text = counted(summary.impacts, "impact", "impacts");
  if (summary.resting_impacts > 0) text += fmt::format(", of which {} came to rest", summary.resting_impacts);
  const std::size_t ends = summary.accumulation_times.size();
  if (ends > 0)
    text += fmt::format("; {} ended, the first at t = {} s",
                        counted(static_cast<long>(ends), "infinite sequence", "infinite sequences"),
                        time_text(summary.accumulation_times.front(), summary.t_end));
  return text;
}

std::string_view rung_words(Rung rung) {
  constexpr std::array<std::string_view, 5> words = {
      "as asked", "solved less accurately than asked", "plastic, where the law has no answer",
      "contact by contact, where nothing else was found", "crossed by a short time step"};
  return words[static_cast<int>(rung)];
}

/// The energy that changed its form or its owner: what an error of the balance is compared with.
double exchanged(const Ledger& ledger) {
  return std::max({std::abs(ledger.start - ledger.potential), ledger.kinetic, std::abs(ledger.work),
                   std::abs(ledger.dissipated()), std::abs(ledger.correction)});
}

/// One sentence on what mechanics says of the answers. A scheme of time steps stops an approach where it finds it, up
/// to a step before or after the touch, so that single steps may overlap or gain a little: what is left of that
/// vanishes with the step.
std::string certificate_line(const RunTitle& title, const RunSummary& summary) {
  if (summary.solved_problems == 0) return "nothing to certify";
  const bool in_steps = std::holds_alternative<TimeStepping>(title.scheme);
  const std::string_view what = in_steps ? "step" : "impact";
  if (summary.inconsistent == 0)
    return fmt::format("every {} is consistent (worst relative residual {:.1e})", what, worst_residual(summary));
  std::string text = fmt::format("{} of {} {}s{} are not consistent: ", summary.inconsistent, summary.solved_problems,
                                 what, in_steps ? " with contacts" : "");
  text += fmt::format("penetration up to {:.1e}, pull {:.1e}, energy created {:.1e} (relative), the worst at t = {} s",
                      summary.worst.kinematic, summary.worst.kinetic, summary.worst.energetic,
                      time_text(summary.worst_time, summary.t_end));
  return text + (in_steps ? "; in time steps this is expected if it shrinks with the step"
                          : "; this is what the law says, not an error of the run");
}

/// How far the run is from what was asked for, if it is.
std::string approximations_line(const RunTitle& title, const RunSummary& summary) {
  const Approximations& all = summary.approximations;
  if (all.steps == 0) return "";
  const bool in_steps = std::holds_alternative<TimeStepping>(title.scheme);
  const long of = std::max(all.steps, in_steps ? summary.steps : summary.steps + summary.impacts);
  std::vector<std::string> rungs;
  for (std::size_t i = 0; i < all.by_rung.size(); ++i)
    if (all.by_rung[i] > 0) rungs.push_back(fmt::format("{} {}", all.by_rung[i], rung_words(static_cast<Rung>(i))));
  std::string text =
      fmt::format("{} of {} {} {} approximate: {}; ", all.steps, of, in_steps ? "steps" : "steps and impacts",
                  all.steps == 1 ? "is" : "are", fmt::join(rungs, ", "));
  text += all.worst_rung == Rung::best_found ? fmt::format("relative error up to {:.1e}", all.worst_residual)
                                             : std::string("the worst was answered by another rule");
  return text + fmt::format(", at t = {} s{}\n", time_text(all.worst_time, summary.t_end),
                            all.worst_where.empty() ? "" : " (" + all.worst_where + ")");
}

std::string balance_line(const Ledger& ledger) {
  const double scale = std::max(exchanged(ledger), kNothing * (std::abs(ledger.start) + std::abs(ledger.potential)));
  return scale > 0 ? fmt::format("the energy balance closes to {:.1e} of what is exchanged\n",
                                 std::abs(ledger.error()) / scale)
                   : "";
}

Json approximate_json(const Approximations& all) {
  if (all.steps == 0) return nullptr;
  Json by_rung = Json::object();
  for (std::size_t i = 0; i < all.by_rung.size(); ++i)
    if (all.by_rung[i] > 0) by_rung[std::string(to_string(static_cast<Rung>(i)))] = all.by_rung[i];
  return {{"by_rung", by_rung},
          {"worst",
           {{"time", all.worst_time},
            {"rung", to_string(all.worst_rung)},
            {"contacts", all.worst_where},
            {"residual", all.worst_residual},
            {"file", all.worst_problem ? Json(worst_step_file) : Json(nullptr)}}}};
}

double largest_energy(const Ledger& ledger) {
  return std::max({std::abs(ledger.start), ledger.kinetic, std::abs(ledger.potential), std::abs(ledger.work)});
}

std::string energy_table(const Ledger& ledger, bool in_forces) {
  const double scale = largest_energy(ledger);
  Table table({"energy [J]", "start", "end"});
  table.add({"kinetic + potential", number(ledger.start, scale), number(ledger.kinetic + ledger.potential, scale)});
  table.add({"  kinetic", "", number(ledger.kinetic, scale)});
  table.add({"  potential", "", number(ledger.potential, scale)});
  if (ledger.stored != 0) table.add({"stored in contacts", "", number(ledger.stored, scale)});
  table.add({"work of loads and walls", number(ledger.work, scale), ""});
  if (std::abs(ledger.correction) > kNoticeable * scale)
    table.add({"overlaps moved apart", number(ledger.correction, scale), ""});
  table.add({in_forces ? "lost in contacts" : "lost in impacts", "", number(ledger.dissipated_impacts, scale)});
  if (ledger.dissipated_slip != 0) table.add({"lost in sliding", "", number(ledger.dissipated_slip, scale)});
  if (ledger.dissipated_dampers != 0) table.add({"lost in dampers", "", number(ledger.dissipated_dampers, scale)});
  table.add_rule();
  table.add({"sum", number(ledger.start + ledger.work + ledger.correction, scale),
             number(ledger.kinetic + ledger.potential + ledger.stored + ledger.dissipated(), scale)});
  return table.text();
}

/// Where contacts have forces.
std::string peak_line(const Model& model, const RunSummary& summary) {
  if (summary.peak_force <= 0) return "no contact pressed";
  return fmt::format("the largest force is {} N, between {} and {} at t = {} s; the deepest indentation {} m",
                     number(summary.peak_force), body_name(model, summary.peak_parts.body_a),
                     body_name(model, summary.peak_parts.body_b), time_text(summary.peak_time, summary.t_end),
                     number(summary.deepest_penetration));
}

std::string contact_name(const Model& model, const PairLoss& loss) {
  if (loss.is_of_others()) return "all other pairs";
  return loss.joint >= 0 ? model.description().joints[loss.joint].name
                         : body_name(model, loss.body_a) + " - " + body_name(model, loss.body_b);
}

std::string losses_table(const RunTitle& title, const Model& model, const RunSummary& summary) {
  std::vector<PairLoss> losses = summary.losses;
  const double nothing = kNothing * largest_energy(summary.ledger);
  const auto weight = [&](const PairLoss& one) {
    return std::pair(std::abs(one.dissipated) > nothing ? one.dissipated : 0.0, one.impacts);
  };
  std::stable_sort(losses.begin(), losses.end(),
                   [&](const PairLoss& a, const PairLoss& b) { return weight(a) > weight(b); });
  const bool in_forces = std::holds_alternative<ForcedMotion>(title.scheme);
  Table table({"contact", in_forces ? "times closed" : "impacts", "lost [J]"});
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(losses.size(), kMostPairs); ++i) names.push_back(contact_name(model, losses[i]));
  names = short_names(names, kLongestPair);
  for (std::size_t i = 0; i < names.size(); ++i)
    table.add(
        {names[i], fmt::format("{}", losses[i].impacts), number(losses[i].dissipated, largest_energy(summary.ledger))});
  std::string text = table.text();
  if (losses.size() > kMostPairs) text += fmt::format("and {} more pairs\n", losses.size() - kMostPairs);
  return text;
}

}  // namespace

std::string sentence(const RunSummary& summary) {
  const Ledger& ledger = summary.ledger;
  const std::string t = fmt::format("{:.6g} s", summary.t_end);
  switch (summary.status) {
    case RunStatus::stopped:
      return summary.message;
    case RunStatus::not_finished:
      return fmt::format("not finished: it got to {}", t);
    case RunStatus::solved:
    case RunStatus::approximate:
      break;
  }
  const bool moves = ledger.kinetic > kNothing * largest_energy(ledger);
  const std::string impacts = summary.impacts == 0 ? "no impacts" : counted(summary.impacts, "impact", "impacts");
  const double lost = ledger.dissipated();
  if (lost <= kNothing * largest_energy(ledger)) return fmt::format("{} in {}, and no energy was lost", impacts, t);
  return fmt::format("{} in {} took {:.4g} J; {}", impacts, t, lost,
                     moves ? fmt::format("{:.4g} J of motion are left", ledger.kinetic) : "everything is at rest");
}

namespace {

Json start_json(const StartedFrom& started) {
  if (started.run.empty()) return nullptr;
  return {{"run", started.run}, {"t", started.t}, {"in_one_piece", started.in_one_piece}};
}

std::string start_line(const StartedFrom& started) {
  if (started.run.empty()) return "";
  return fmt::format("{} {} at t = {} s{}\n", started.in_one_piece ? "goes on with" : "starts anew from the state of",
                     started.run, number(started.t),
                     started.in_one_piece ? ", as if in one piece" : ": the scene is not the one that was run there");
}

}  // namespace

Json to_json(const RunTitle& title, const Model& model, const RunSummary& summary,
             const std::vector<std::string>& files) {
  Json losses = Json::array();
  for (const PairLoss& loss : summary.losses) {
    Json bodies = Json::array();  // of all other pairs: none
    for (const int body : {loss.body_a, loss.body_b})
      if (!loss.is_of_others()) bodies.push_back(body_name(model, body));
    Json one = {{"bodies", std::move(bodies)}, {"impacts", loss.impacts}, {"dissipated", loss.dissipated}};
    if (loss.joint >= 0) one["joint"] = model.description().joints[loss.joint].name;
    losses.push_back(std::move(one));
  }
  return {{"format", "carom-run/1"},
          {"scene", title.scene},
          {"title", title.title},
          {"law", title.law},
          {"scheme", name_of(title.scheme)},
          {"status", to_string(summary.status)},
          {"message", summary.message},
          {"sentence", sentence(summary)},
          {"stop", summary.stop.empty() ? Json(nullptr) : Json(summary.stop)},
          {"impacts_without_collision", summary.impacts_without_collision},
          {"ambiguous_forces", summary.ambiguous_forces},
          {"approximate_steps", summary.approximations.steps},
          {"worst_residual", summary.approximations.worst_residual},
          {"approximate", approximate_json(summary.approximations)},
          {"duration", title.duration},
          {"start", start_json(title.started)},
          {"t_end", summary.t_end},
          {"impacts", summary.impacts},
          {"resting_impacts", summary.resting_impacts},
          {"accumulation_times", summary.accumulation_times},
          {"energy", ledger_json(summary.ledger)},
          {"contacts", losses},
          {"certificate",
           {{"inconsistent", summary.inconsistent},
            {"worst", residuals_json(summary.worst)},
            {"worst_time", summary.worst_time},
            {"consistent", summary.inconsistent == 0}}},
          {"peak_force", peak_json(model, summary)},
          {"deepest_penetration", summary.deepest_penetration},
          {"largest_joint_error", summary.largest_joint_error},
          {"bodies", bodies_json(model, inside_box(model, summary.end))},
          {"files", files},
          {"cost", {{"steps", summary.steps}, {"evaluations", summary.evaluations}}}};
}

std::string heading(const RunTitle& title, const Model& model) {
  std::string text;
  if (!title.title.empty()) text += title.title + "\n";
  if (!title.about.empty()) text += title.about + "\n";
  return text + "\n" + bodies_line(model);
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
  text += start_line(title.started);
  const bool in_forces = std::holds_alternative<ForcedMotion>(title.scheme);
  text += in_forces ? fmt::format("contacts closed {}\n\n", counted(summary.impacts, "time", "times"))
                    : impacts_line(summary) + "\n\n";
  text += energy_table(summary.ledger, in_forces);
  if (!summary.losses.empty()) text += "\n" + losses_table(title, model, summary);
  text += "\n" + (in_forces ? peak_line(model, summary) : certificate_line(title, summary)) + "\n" +
          balance_line(summary.ledger);
  text += approximations_line(title, summary);
  if (summary.impacts_without_collision > 0)
    text += fmt::format("Painleve: friction jammed a sliding contact {}, and its velocity jumped\n",
                        counted(summary.impacts_without_collision, "time", "times"));
  if (summary.ambiguous_forces > 0)
    text += fmt::format("Painleve: {} several contact forces were possible; the least were taken\n",
                        counted(summary.ambiguous_forces, "time", "times"));
  if (summary.status == RunStatus::stopped || summary.status == RunStatus::not_finished)
    text += fmt::format("{}: {}\n", to_string(summary.status), summary.message);
  else if (!summary.message.empty())
    text += summary.message + "\n";
  if (summary.status == RunStatus::solved || summary.status == RunStatus::approximate) text += sentence(summary) + "\n";
  text += fmt::format("computed in {}\n", computing_time(summary.seconds));
  return text;
}

}  // namespace carom::record

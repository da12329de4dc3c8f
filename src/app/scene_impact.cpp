#include "carom/app/scene_impact.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cmath>

#include "carom/model/periodic.h"
#include "carom/record/problem_json.h"
#include "carom/record/report_data.h"
#include "carom/scene/json.h"
#include "carom/scene/words.h"

namespace carom::app {
namespace {

/// Waits for one impact, keeps it and ends the run.
class Catcher : public Observer {
 public:
  Catcher(const ImpactAt& at, const Control& control, double duration, std::string_view law)
      : at_(at), control_(control), duration_(duration), law_(law) {}

  std::optional<ImpactProblem> problem;
  State before;
  std::vector<ContactPair> pairs;
  std::optional<ImpactLaw> own_law;  // where the contacts have one
  std::vector<int> bodies;
  double t = 0, last = 0;  // [s] of the impact, and of the last one that was seen
  bool at_rest = false;
  long count = 0;  // impacts so far
  std::atomic<bool> stop = false;

  void impact(const Model&, const ImpactEvent& event) override {
    if (problem) return;
    ++count;
    last = event.t;
    if (at_.t ? event.t < *at_.t : count < at_.number) return;
    problem = *event.problem;
    before = event.all_before();
    pairs = event.pairs;
    if (event.law != nullptr) own_law = *event.law;
    bodies = event.bodies;
    t = event.t;
    at_rest = event.at_rest;
    stop = true;
  }
  void progress(double now, long impacts) override {
    if (control_.progress) control_.progress({law_, now, duration_, impacts});
    if (control_.is_cancelled()) stop = true;
  }

 private:
  const ImpactAt& at_;
  const Control& control_;
  double duration_;
  std::string_view law_;
};

std::string words(const ImpactAt& at) {
  return at.t ? fmt::format("t={}", *at.t) : fmt::format("{}", at.number);
}

[[noreturn]] void fail_missing(const ImpactAt& at, const Catcher& caught, const RunSummary& summary) {
  const std::string until = fmt::format(
      "until t = {:.6g} s{}", summary.t_end,
      summary.status == RunStatus::solved || summary.message.empty() ? "" : fmt::format(" ({})", summary.message));
  if (caught.count == 0) throw InputError("--at " + words(at), fmt::format("the run has no impact {}", until));
  if (at.t)
    throw InputError("--at " + words(at), fmt::format("no impact at or after this time; the run has {} {}, the last "
                                                      "at t = {:.9g} s",
                                                      caught.count, until, caught.last));
  throw InputError("--at " + words(at),
                   fmt::format("the run has only {} impact{} {}", caught.count, caught.count == 1 ? "" : "s", until));
}

std::vector<std::string> velocity_names(const Model& model, const std::vector<int>& bodies) {
  static constexpr std::array<std::array<const char*, 6>, 3> names = {
      {{"vx"}, {"vx", "vy", "spin"}, {"vx", "vy", "vz", "spin x", "spin y", "spin z"}}};
  const auto axes = static_cast<std::size_t>(model.dimension());
  const std::size_t each = axes == 1 ? 1 : 3 * (axes - 1);
  std::vector<std::string> all;
  for (const int body : bodies)
    for (std::size_t k = 0; k < each; ++k)
      all.push_back(fmt::format("{} {}", model.bodies()[body].name, names[axes - 1][k]));
  return all;
}

record::ImpactScene scene_around(const ReadyScene& ready, const Scheme& scheme, const Catcher& caught) {
  record::ReportData moment(title_of(ready, scheme, ready.scene.law), ready.model);
  moment.state(ready.model, inside_box(ready.model, caught.before), {});
  std::vector<ContactPair> pairs = caught.pairs;
  for (ContactPair& pair : pairs) pair.point.point_a = pair.point.point_b = middle_of(ready.model, pair);
  return {fmt::format("{}: impact {}, t = {:.6g} s", ready.scene.title.empty() ? ready.file : ready.scene.title,
                      caught.count, caught.t),
          moment.json(),
          ready.model.dimension(),
          std::move(pairs),
          caught.bodies,
          velocity_names(ready.model, caught.bodies)};
}

}  // namespace

ImpactAt parse_impact_at(std::string_view text) {
  const auto refuse = [&]() {
    return InputError("--at", fmt::format("{} is none of first, a number from 1, or a time such as t=0.35 [s]",
                                          scene::in_quotes(text)));
  };
  if (text == "first") return {};
  ImpactAt at;
  if (text.starts_with("t=")) {
    const std::string number(text.substr(2));
    std::size_t read = 0;
    try {
      at.t = std::stod(number, &read);
    } catch (const std::exception&) {
      throw refuse();
    }
    if (read != number.size() || !std::isfinite(*at.t)) throw refuse();
    return at;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), at.number);
  if (error != std::errc() || end != text.data() + text.size() || at.number < 1) throw refuse();
  return at;
}

SceneImpact impact_of(const ReadyScene& ready, const ImpactAt& at, const Control& control, Surroundings surroundings) {
  const scene::Scene& scene = ready.scene;
  SceneImpact result;
  Scheme scheme = scene.scheme;
  if (std::holds_alternative<ForcedMotion>(scheme)) {
    scheme = EventDriven{};
    result.remarks.emplace_back(
        "under contact forces impacts have no instant: the scene was moved event-driven, its law answering each "
        "impact");
  }
  require_law(ready, scheme, scene.law);
  require_start(ready, scheme);
  Catcher caught(at, control, scene.duration, name_of(scene.law));
  RunOptions options = options_of(ready);
  options.interval = scene.duration;
  options.stop = {};
  options.cancelled = &caught.stop;
  const RunSummary summary = run_ready(ready.model, ready.start, scheme, scene.law, options, caught);
  if (!caught.problem) fail_missing(at, caught, summary);
  result.number = caught.count;
  result.t = caught.t;
  result.velocities = velocity_names(ready.model, caught.bodies);
  if (surroundings == Surroundings::kept) result.scene = scene_around(ready, scheme, caught);
  if (std::holds_alternative<TimeStepping>(scheme))
    result.remarks.emplace_back("in time steps an impact is a whole step; p is the impulse of the other forces in it");
  if (caught.at_rest)
    result.remarks.emplace_back("in the run it was too slow to bounce and taken as plastic, whatever the law");
  const std::string about =
      fmt::format("{}: impact {}, t = {} s", scene.title.empty() ? ready.file : scene.title, result.number, result.t);
  result.document = record::problem_json(*caught.problem, caught.own_law.value_or(scene.law), about);
  result.file = scene::read_problem(
      scene::parse_json(result.document.dump(2), fmt::format("{} (impact {})", ready.file, result.number)));
  return result;
}

}  // namespace carom::app

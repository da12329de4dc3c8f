#include "judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "carom/geometry/contact_points.h"
#include "carom/model/contact_rules.h"
#include "carom/scene/scene.h"

namespace carom::soak {
namespace {

constexpr double kStates = 200;                         // recorded of every run
constexpr double kGrowth = 1e-6;                        // of the energy exchanged
constexpr double kLedger = 1e-6;                        // event-driven; of the energy exchanged
constexpr std::size_t kLeastRefined = 3, kRefined = 7;  // steps, each a quarter of the one before
constexpr std::chrono::seconds kTimeToRefine{3};        // then no shorter ones are tried
constexpr double kVanishing = 0.7;                      // of a gain with steps of a quarter of the length, at most
constexpr double kMuchAlike = 2;                        // what a law creates in runs of the same scene by both schemes
constexpr double kResidual = 1e-6;                      // of answers below the first rung
constexpr double kDepthOfEvents = 1e-6;                 // of the smaller body's size
constexpr double kDepthOfSteps = 2e-2;                  // and what is travelled in a step
constexpr double kNegligible = 1e-6;  // of the energy it takes to lift all bodies by their size: nothing happens
constexpr double kChange = 1e-8, kMostChanged = 1e-5;
constexpr double kEndsAgree = 1e-3;  // of the size, for each body: the overlap that time steps leave alone

double size_of(const Body& body) {
  double size = 0;
  for (const geometry::Part& part : body.parts)
    size = std::max(size, part.pose.position.norm() + geometry::reach(part.shape));
  return size;
}

/// Looks at every recorded state.
class Watch : public Observer {
 public:
  explicit Watch(const Model& model) : rules_(model) {
    for (const Body& body : model.bodies()) sizes_.push_back(size_of(body));
  }

  void state(const Model& model, const State& state, const Ledger& ledger) override {
    finite = finite && state.q.allFinite() && state.u.allFinite() && std::isfinite(ledger.error());
    if (!finite) return;
    if (states_++ == 0) first_potential_ = ledger.potential;
    kinetic_ = std::max(kinetic_, ledger.kinetic);
    lifted_ = std::max(lifted_, std::abs(ledger.potential - first_potential_));
    worked_ = std::max(worked_, std::abs(ledger.work));
    lost_ = std::max(lost_, std::abs(ledger.dissipated()));
    gain_ = std::max(gain_, ledger.kinetic + ledger.potential - ledger.start - ledger.work - ledger.correction);
    error_ = std::max(error_, std::abs(ledger.error()));
    look_for_overlap(model, state);
  }

  void impact(const Model& /*model*/, const ImpactEvent& event) override {
    if (event.outcome->u_plus.size() > 0) created_ += std::max(0.0, -event.outcome->energy.dissipated());
  }

  double exchanged() const { return std::max({kinetic_, lifted_, worked_, lost_}); }
  double gain() const { return gain_; }
  double created() const { return created_; }
  double error() const { return error_; }
  double fastest() const { return fastest_; }

  bool finite = true;
  double deepest = 0;          // [-] over the smaller body's size
  double smallest = INFINITY;  // [m] size of a free body
  std::string where;

 private:
  void look_for_overlap(const Model& model, const State& state) {
    const int count = static_cast<int>(model.bodies().size());
    for (int a = 0; a < count; ++a) {
      if (!model.bodies()[a].is_free()) continue;
      const Twist twist = model.twist(a, state);
      const double size = sizes_[a];
      if (size > 0) smallest = std::min(smallest, size);
      fastest_ = std::max(fastest_, twist.velocity.norm() + size * twist.angular.norm());
      for (int b = 0; b < count; ++b)
        if ((b > a || !model.bodies()[b].is_free()) && rules_.may_touch(std::min(a, b), std::max(a, b)))
          look_at(model, state, a, b);
    }
  }

  void look_at(const Model& model, const State& state, int a, int b) {
    const Pose pose_a = model.pose(a, state), pose_b = model.pose(b, state);
    const double size_a = sizes_[a], size_b = sizes_[b];
    if ((pose_a.position - pose_b.position).norm() > size_a + size_b) return;
    const Body &body_a = model.bodies()[a], &body_b = model.bodies()[b];
    for (const geometry::Part& part_a : body_a.parts)
      for (const geometry::Part& part_b : body_b.parts) {
        const double gap = geometry::nearest_points(part_a.shape, pose_a * part_a.pose, part_b.shape,
                                                    pose_b * part_b.pose, model.dimension())
                               .gap;
        const double depth = -gap / std::min(size_a, size_b);
        if (!(depth > deepest)) continue;
        deepest = depth;
        where = fmt::format("{} in {} at t = {:.4g}", body_a.name, body_b.name, state.t);
      }
  }

  ContactRules rules_;
  std::vector<double> sizes_;
  long states_ = 0;
  double first_potential_ = 0, kinetic_ = 0, lifted_ = 0, worked_ = 0, lost_ = 0, gain_ = 0, error_ = 0, created_ = 0;
  double fastest_ = 0;  // [m/s]
};

/// What it would take to lift all free bodies by their sizes, a scale for energies of things that lie still.
double lifting(const Model& model) {
  double sum = 0;
  for (const Body& body : model.bodies())
    if (body.is_free()) sum += body.mass * model.description().gravity.norm() * size_of(body);
  return sum;
}

scene::Scene read(const RandomScene& scene, const std::vector<std::string>& settings) {
  return scene::parse_scene(scene.toml, fmt::format("seed_{}.toml", scene.seed), {std::nullopt, settings});
}

double step_of(const RandomScene& scene) {
  const Scheme scheme = read(scene, {}).scheme;
  const auto* stepping = std::get_if<TimeStepping>(&scheme);
  return stepping ? stepping->step : TimeStepping{}.step;
}

std::vector<std::string> with_step(double step) {
  return {fmt::format("scheme.step={}", step)};
}

/// The end of a run of any scheme, started with velocities and gravity that differ by `change`.
struct End {
  bool arrived = false;
  bool consistent = false;  // every impact, and the law's answers to them
  State state;
};
End end_of(const RandomScene& random, const Scheme& scheme, double change) {
  scene::Scene scene = read(random, {});
  scene.description.gravity += change * scene.description.gravity.norm() * Vector3(1, 0.3, 0.5);
  const Model model(scene.description);
  State start = model.state(scene.placement);
  start.u *= 1 + change;
  Observer nobody;
  const RunSummary summary = run(model, start, scheme, scene.law, {scene.duration, scene.duration}, nobody);
  const bool arrived = summary.status == RunStatus::solved || summary.status == RunStatus::approximate;
  return {arrived && summary.end.q.allFinite(), summary.inconsistent == 0, summary.end};
}

double distance(const End& a, const End& b, double size) {
  return (a.state.q - b.state.q).cwiseAbs().maxCoeff() / size;
}

std::string gain_of_events(const Judged& judged) {
  if (judged.growth <= judged.created + kGrowth) return "";
  return fmt::format("energy grows by {:.2g} of what is exchanged", judged.growth);
}

/// Time steps may gain, or lose from the ledger, what vanishes with their length, and what the law creates in impacts
/// that are located as well.
std::string gain_of_steps(const RandomScene& scene, const Judged& judged, Judging judging) {
  const auto missed = [](const Judged& one) { return std::max(one.growth, one.ledger); };
  if (missed(judged) <= kGrowth || judging == Judging::once) return "";
  const double h = step_of(scene);
  const double quarter = missed(run_and_measure(scene, with_step(h / 4)));
  if (quarter <= kVanishing * missed(judged) + kGrowth) return "";
  const double sixteenth = missed(run_and_measure(scene, with_step(h / 16)));
  if (sixteenth <= kVanishing * kVanishing * missed(judged) + kGrowth) return "";
  RandomScene located = scene;
  located.scheme = "event-driven";
  const double created = run_and_measure(located, {"scheme=event-driven"}).created;
  if (sixteenth <= kMuchAlike * created + kGrowth) return "";
  return fmt::format("energy missed by {:.2g} of what is exchanged, {:.2g} and {:.2g} with h/4 and h/16",
                     missed(judged), quarter, sixteenth);
}

}  // namespace

Judged run_and_measure(const RandomScene& random, const std::vector<std::string>& settings) {
  const scene::Scene scene = read(random, settings);
  const Model model(scene.description);
  Watch watch(model);
  Judged judged;
  judged.summary = run(model, model.state(scene.placement), scene.scheme, scene.law,
                       {scene.duration, scene.duration / kStates}, watch);
  judged.finite = watch.finite && judged.summary.end.q.allFinite() && judged.summary.end.u.allFinite();
  judged.exchanged = watch.exchanged();
  const double scale = judged.exchanged + kNegligible * lifting(model);
  judged.growth = scale > 0 ? watch.gain() / scale : 0;
  judged.created = scale > 0 ? watch.created() / scale : 0;
  judged.ledger = scale > 0 ? watch.error() / scale : 0;
  judged.penetration = watch.deepest;
  judged.deepest_pair = watch.where;
  const auto* stepping = std::get_if<TimeStepping>(&scene.scheme);
  judged.allowed_depth = stepping ? kDepthOfSteps + watch.fastest() * stepping->step / watch.smallest : kDepthOfEvents;
  return judged;
}

void require_accepted(const RandomScene& random) {
  const scene::Scene scene = read(random, {});
  const Model model(scene.description);
  require_ready(model, model.state(scene.placement), scene.scheme, scene.law,
                {scene.duration, scene.duration / kStates});
}

std::string fault_of(const RandomScene& scene, const Judged& judged, Judging judging) {
  const RunSummary& summary = judged.summary;
  if (summary.status == RunStatus::not_finished || summary.status == RunStatus::stopped)
    return fmt::format("{} at t = {:.6g}: {}", to_string(summary.status), summary.t_end, summary.message);
  if (!judged.finite) return "no number in a recorded state";
  if (judged.penetration > judged.allowed_depth)
    return fmt::format("penetration of {:.2g} sizes: {}", judged.penetration, judged.deepest_pair);
  const bool in_steps = scene.scheme == "time-stepping";
  if (!in_steps && judged.ledger > kLedger)
    return fmt::format("ledger open by {:.2g} of the energy exchanged", judged.ledger);
  if (summary.approximations.worst_residual > kResidual)
    return fmt::format("residual {:.2g} of a {} answer at t = {:.6g}", summary.approximations.worst_residual,
                       to_string(summary.approximations.worst_rung), summary.approximations.worst_time);
  return in_steps ? gain_of_steps(scene, judged, judging) : gain_of_events(judged);
}

bool Ends::agree() const {
  return apart.back() <= overlaps || apart.back() <= kVanishing * *std::max_element(apart.begin(), apart.end() - 1);
}

std::optional<Ends> compare_ends(const RandomScene& scene) {
  if (scene.law == "lzb") return std::nullopt;
  const Model model(read(scene, {}).description);
  double size = 0;
  for (const Body& body : model.bodies())
    if (body.is_free()) size = std::max(size, size_of(body));
  const End exact = end_of(scene, EventDriven{}, 0);
  if (!exact.arrived || !exact.consistent) return std::nullopt;
  const End changed = end_of(scene, EventDriven{}, kChange);
  Ends ends;
  for (const Body& body : model.bodies())
    if (body.is_free()) ends.overlaps += kEndsAgree;
  ends.sensitivity = distance(exact, changed, size) / kChange;
  if (!changed.arrived || !(ends.sensitivity * kChange < kMostChanged)) return std::nullopt;
  const double h = step_of(scene);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < kRefined; ++i) {
    if (i >= kLeastRefined && (ends.agree() || std::chrono::steady_clock::now() - begin > kTimeToRefine)) break;
    const End stepped = end_of(scene, TimeStepping{.step = h / std::pow(4.0, static_cast<double>(i))}, 0);
    if (!stepped.arrived) return std::nullopt;
    ends.apart.push_back(distance(exact, stepped, size));
  }
  return ends;
}

}  // namespace carom::soak

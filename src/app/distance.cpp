#include "carom/app/distance.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/app/scene_run.h"
#include "carom/model/contact_rules.h"
#include "carom/scene/input.h"
#include "carom/scene/pair_reader.h"
#include "carom/scene/toml.h"
#include "carom/scene/words.h"

namespace carom::app {
namespace {

using geometry::MovingBody;

/// Keeps the last state of a run, and tells how far it is.
class LastState : public Observer {
 public:
  LastState(State start, double duration, const Control& control)
      : last(start), start_(start.t), duration_(duration), control_(control) {}
  void state(const Model&, const State& now, const Ledger&) override { last = now; }
  void progress(double t, long impacts) override {
    if (control_.progress) control_.progress({"", t - start_, duration_, impacts});
  }

  State last;

 private:
  double start_, duration_;
  const Control& control_;
};

State state_at(const ReadyScene& ready, double t, const Control& control) {
  if (!(t >= ready.start.t))
    throw InputError("--at", fmt::format("{} is before the scene starts, at {} s", t, ready.start.t));
  LastState watcher(ready.start, t - ready.start.t, control);
  if (t == ready.start.t) return watcher.last;
  require_law(ready, ready.scene.scheme, ready.scene.law);
  require_start(ready, ready.scene.scheme);
  RunOptions options = options_of(ready);
  options.duration = options.interval = t - ready.start.t;
  options.stop = {};
  options.cancelled = control.cancelled;
  const RunSummary summary = run_ready(ready.model, ready.start, ready.scene.scheme, ready.scene.law, options, watcher);
  if (watcher.last.t < t - 1e-9 * options.duration)
    throw InputError("--at", fmt::format("the run ends at t = {:.9g} s: {}", summary.t_end, summary.message));
  return watcher.last;
}

int body_named(const Model& model, const std::string& name) {
  std::vector<std::string_view> names;
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) {
    if (model.bodies()[i].name == name) return i;
    names.push_back(model.bodies()[i].name);
  }
  throw InputError("carom distance", fmt::format("no body is called {}; {}", scene::in_quotes(name),
                                                 scene::suggestion(name, names, "the bodies are")));
}

std::array<int, 2> measured_bodies(const ReadyScene& ready, const std::vector<std::string>& names) {
  const std::size_t count = ready.model.bodies().size();
  if (names.empty() && count == 2) return {0, 1};
  if (names.size() != 2)
    throw InputError("carom distance",
                     fmt::format("the scene has {} bodies; say which two: carom distance {} A B", count, ready.file));
  return {body_named(ready.model, names[0]), body_named(ready.model, names[1])};
}

MovingBody at_moment(const Model& model, const State& state, int body) {
  const Twist twist = model.twist(body, state), bias = model.bias_acceleration(body, state);
  return {
      model.bodies()[body].parts, model.pose(body, state), twist.velocity, twist.angular, bias.velocity, bias.angular};
}

record::PairReport in_scene(const ReadyScene& ready, const DistanceQuestion& question, const Control& control) {
  const auto [a, b] = measured_bodies(ready, question.bodies);
  if (a == b) throw InputError("carom distance", "both names are the same body");
  const State state = question.t ? state_at(ready, *question.t, control) : ready.start;
  const Model& model = ready.model;
  record::PairReport report;
  report.dimension = model.dimension();
  report.t = state.t;
  report.names = {model.body_name(a), model.body_name(b)};
  report.bodies = {at_moment(model, state, a), at_moment(model, state, b)};
  for (std::size_t i = 0; i < 2; ++i)
    if (report.bodies[i].parts.empty())
      throw InputError("carom distance", fmt::format("{} is a point without a shape", report.names[i]));
  report.pair = geometry::body_pair(report.bodies[0], report.bodies[1], report.dimension);
  report.modulus = ContactRules(model).properties(std::min(a, b), std::max(a, b)).modulus;
  if (model.first_velocity(a) >= 0 || model.first_velocity(b) >= 0) {
    ContactPair touch;
    touch.parts = {a, static_cast<int>(report.pair.part_a), b, static_cast<int>(report.pair.part_b)};
    touch.point = report.pair.point;
    const double mass = contact_masses(model, state, touch).normal;
    if (mass > 0) report.mass = mass;
  }
  return report;
}

record::PairReport of_given(scene::GivenPair given) {
  record::PairReport report;
  report.dimension = given.dimension;
  report.names = std::move(given.names);
  report.bodies = std::move(given.bodies);
  report.pair = geometry::body_pair(report.bodies[0], report.bodies[1], report.dimension);
  report.modulus = given.modulus;
  return report;
}

}  // namespace

record::PairReport distance_between(const DistanceQuestion& question, const Control& control) {
  if (question.file.empty()) {
    if (question.shape_a.empty() || question.shape_b.empty())
      throw InputError("carom distance", "needs a file, or two shapes by --a and --b");
    return of_given(
        scene::parse_pair(question.shape_a, question.shape_b, static_cast<geometry::Dimension>(question.dimension)));
  }
  if (!question.shape_a.empty() || !question.shape_b.empty())
    throw InputError("carom distance", "takes a file or the shapes --a and --b, not both");
  const std::string name = scene::input_name(question.file);
  const std::string text = scene::read_input(question.file, scene::any_byte);
  const scene::Document document = scene::parse_toml(text, name);
  if (!scene::is_pair(document)) {
    const scene::SceneOptions options{.law = {}, .settings = question.settings};
    return in_scene(
        question.file == "-" ? app::parse_scene(text, name, options) : app::read_scene(question.file, options),
        question, control);
  }
  if (question.t || !question.settings.empty() || !question.bodies.empty())
    throw InputError("carom distance", fmt::format("{} has two bodies and is no scene; names, --at and --set are for "
                                                   "scenes",
                                                   question.file));
  return of_given(scene::read_pair(document));
}

}  // namespace carom::app

#pragma once

#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/simulate/run.h"

namespace carom::testing {

/// Everything that happened in a run.
struct Watched : Observer {
  struct Impact {
    double t = 0;
    Vector u_minus, u_plus, gamma_minus, gamma_plus, Lambda;
    std::vector<int> bodies;
    bool at_rest = false;
  };
  std::vector<State> states;
  std::vector<Ledger> ledger;
  std::vector<Impact> impacts;
  std::vector<std::vector<ContactForce>> forces;      // by recorded time
  std::vector<std::vector<JointForce>> joint_forces;  // the same
  std::vector<ContactClosure> closures;
  std::vector<RunEvent> events;

  bool wants_forces() const override { return true; }

  void state(const Model&, const State& state, const Ledger& now) override {
    states.push_back(state);
    ledger.push_back(now);
  }
  void contacts(const Model&, double, const std::vector<ContactForce>& now) override { forces.push_back(now); }
  void joints(const Model&, double, const std::vector<JointForce>& now) override { joint_forces.push_back(now); }
  void event(const Model&, const RunEvent& event) override { events.push_back(event); }
  void closure(const Model&, const ContactClosure& closure) override { closures.push_back(closure); }
  void impact(const Model&, const ImpactEvent& event) override {
    const ImpactOutcome& outcome = *event.outcome;
    impacts.push_back({event.t, event.problem->u_minus, outcome.u_plus, outcome.normal(outcome.gamma_minus),
                       outcome.normal(outcome.gamma_plus), outcome.normal(outcome.Lambda), event.bodies,
                       event.at_rest});
  }
};

struct Played {
  Model model;
  RunSummary summary;
  Watched seen;
};

/// Runs a scene that is written in the test.
inline Played play(const std::string& toml, const std::vector<std::string>& settings = {}) {
  const scene::Scene scene = scene::parse_scene(toml, "test.toml", {std::nullopt, settings});
  Played played{Model(scene.description), {}, {}};
  played.summary = run(played.model, played.model.state(scene.placement), scene.scheme, scene.law,
                       {.duration = scene.duration,
                        .interval = scene.recording.interval.value_or(scene.duration / 100),
                        .stop = scene.stop,
                        .sets = scene.sets},
                       played.seen);
  return played;
}

}  // namespace carom::testing

#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "carom/app/checkpoint_keeper.h"
#include "carom/app/control.h"
#include "carom/record/run_summary.h"

namespace carom::app {

/// Tells those who watch a run what happens from a time on, and how far it is.
class RunWatcher : public Observer {
 public:
  RunWatcher(const record::RunTitle& title, const Control& control, std::array<Observer*, 3> watching)
      : title_(title), control_(control), watching_(watching) {}

  double begin = 0;                                        // [s] of the run
  double from = -std::numeric_limits<double>::infinity();  // [s] what happened before is not told
  CheckpointKeeper* keeper = nullptr;                      // nullptr: no checkpoints are kept
  State last = {};                                         // that was recorded, told or not

  bool wants_forces() const override {
    return std::any_of(watching_.begin(), watching_.end(),
                       [](const Observer* one) { return one && one->wants_forces(); });
  }
  bool wants_impacts() const override {
    return std::any_of(watching_.begin(), watching_.end(),
                       [](const Observer* one) { return one && one->wants_impacts(); });
  }
  bool wants_problems() const override {
    return std::any_of(watching_.begin(), watching_.end(),
                       [](const Observer* one) { return one && one->wants_problems(); });
  }
  void state(const Model& model, const State& state, const Ledger& ledger) override {
    if (keeper != nullptr) last = state;
    tell(state.t, [&](Observer& one) { one.state(model, state, ledger); });
  }
  void impact(const Model& model, const ImpactEvent& event) override {
    tell(event.t, [&](Observer& one) { one.impact(model, event); });
  }
  void contacts(const Model& model, double t, const std::vector<ContactForce>& forces) override {
    tell(t, [&](Observer& one) { one.contacts(model, t, forces); });
  }
  void joints(const Model& model, double t, const std::vector<JointForce>& forces) override {
    tell(t, [&](Observer& one) { one.joints(model, t, forces); });
  }
  void event(const Model& model, const RunEvent& event) override {
    tell(event.t, [&](Observer& one) { one.event(model, event); });
  }
  void closure(const Model& model, const ContactClosure& closure) override {
    tell(closure.end, [&](Observer& one) { one.closure(model, closure); });
  }
  void progress(double t, long impacts) override {
    if (!control_.progress) return;
    const double first = std::max(begin, from);
    control_.progress({title_.law, std::max(0.0, t - first), begin + title_.duration - first, impacts});
  }
  bool keeps_checkpoints() const override { return keeper != nullptr; }
  bool wants_checkpoint() override { return keeper != nullptr && keeper->wants(); }
  void checkpoint(double t, const std::string& inner) override {
    if (keeper != nullptr) keeper->take(t, inner);
  }

 private:
  template <class Act>
  void tell(double t, Act&& act) {
    if (t < from) return;
    for (Observer* one : watching_)
      if (one != nullptr) act(*one);
  }

  const record::RunTitle& title_;
  const Control& control_;
  std::array<Observer*, 3> watching_;  // some may be missing
};

}  // namespace carom::app

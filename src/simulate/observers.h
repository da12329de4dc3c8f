#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "carom/simulate/observer.h"

namespace carom::simulate {

/// Several who watch one run, each told everything in the order of the list. They outlive it.
class Observers : public Observer {
 public:
  explicit Observers(std::vector<Observer*> all) : all_(std::move(all)) {}

  bool wants_forces() const override {
    return std::any_of(all_.begin(), all_.end(), [](const Observer* one) { return one->wants_forces(); });
  }
  bool wants_impacts() const override {
    return std::any_of(all_.begin(), all_.end(), [](const Observer* one) { return one->wants_impacts(); });
  }
  bool wants_problems() const override {
    return std::any_of(all_.begin(), all_.end(), [](const Observer* one) { return one->wants_problems(); });
  }
  void state(const Model& model, const State& state, const Ledger& ledger) override {
    for (Observer* one : all_) one->state(model, state, ledger);
  }
  void impact(const Model& model, const ImpactEvent& event) override {
    for (Observer* one : all_) one->impact(model, event);
  }
  void contacts(const Model& model, double t, const std::vector<ContactForce>& forces) override {
    for (Observer* one : all_) one->contacts(model, t, forces);
  }
  void joints(const Model& model, double t, const std::vector<JointForce>& forces) override {
    for (Observer* one : all_) one->joints(model, t, forces);
  }
  void event(const Model& model, const RunEvent& event) override {
    for (Observer* one : all_) one->event(model, event);
  }
  void closure(const Model& model, const ContactClosure& closure) override {
    for (Observer* one : all_) one->closure(model, closure);
  }
  void progress(double t, long impacts) override {
    for (Observer* one : all_) one->progress(t, impacts);
  }
  bool keeps_checkpoints() const override {
    return std::any_of(all_.begin(), all_.end(), [](const Observer* one) { return one->keeps_checkpoints(); });
  }
  bool wants_checkpoint() override {
    return std::any_of(all_.begin(), all_.end(), [](Observer* one) { return one->wants_checkpoint(); });
  }
  void checkpoint(double t, const std::string& inner) override {
    for (Observer* one : all_) one->checkpoint(t, inner);
  }

 private:
  std::vector<Observer*> all_;
};

}  // namespace carom::simulate

#pragma once

#include <vector>

#include "carom/simulate/contact_search.h"
#include "carom/simulate/forced/stepped_bodies.h"

namespace carom::simulate {

/// Bodies of any shape, with joints, springs and loads, under contact forces in steps of fixed length: places and
/// velocities leapfrog, joints are constraints of the accelerations and are set right after each step.
class ForcedBodies final : public SteppedBodies {
 public:
  ForcedBodies(const Model& model, const ContactRules& rules, const Compliant& law, const State& start,
               double least_speed);

  void step(double h) override;
  State state() const override { return state_; }
  void for_contacts(const std::function<void(const StepContact&)>& use) const override;
  void archived(Archive& archive) override;

 private:
  void find_contacts();
  void press_all(double h);
  StepContact made(const ContactPair& pair) const;
  /// `ahead`: the state with the velocities at the end of the step, by its forces before.
  ContactMotion motion(const ContactPair& pair, const State& ahead) const;
  void push(const ContactPair& pair, const StepContact& contact, double h);

  const Model& model_;
  const ContactRules& rules_;
  const Compliant& law_;
  ContactSearch search_;
  double least_speed_;
  State state_;
  std::vector<ContactPair> pairs_;
  std::vector<StepContact> contacts_;  // (pairs)
  Vector applied_, gained_;            // (velocities) forces of contacts, accelerations
  bool started_ = false;
};

}  // namespace carom::simulate

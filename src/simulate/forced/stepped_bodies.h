#pragma once

#include <functional>

#include "carom/simulate/forced/step_contact.h"

namespace carom::simulate {

/// Bodies that move in steps of fixed length under the forces in their contacts.
class SteppedBodies {
 public:
  virtual ~SteppedBodies() = default;

  virtual void step(double h) = 0;
  virtual State state() const = 0;
  /// Those that are closed.
  virtual void for_contacts(const std::function<void(const StepContact&)>& use) const = 0;

  /// All that they know, for a checkpoint.
  virtual void archived(Archive& archive) {
    archive& closures& worst_ratio& worst_time& worst_a& worst_b;
    for (ContactWork* one : {&work, &before})
      archive & one->normal & one->along & one->walls & one->loads & one->dampers;
  }

  std::function<void(const StepContact&, double)> on_begin;  // a contact closed, at this time
  std::function<void(const StepContact&, double)> on_end;    // a contact opened, at this time
  std::function<void(const StepContact&, double)> on_mode;   // one that stuck slips now, or the other way round
  /// Done until now: forces kick half before a step and half after it.
  ContactWork done() const { return between(before, work); }
  long closures = 0;
  double worst_ratio = 0;  // of h^2 k / m to 4, which is the limit of stability, at the stiffest contact so far
  double worst_time = 0;   // [s]
  int worst_a = -1, worst_b = -1;

 protected:
  ContactWork work, before;  // with whole kicks: of the forces now, and without them
  /// `earlier`: how it moved in the step before.
  void compare_modes(ContactMode earlier, const StepContact& contact, double t) const {
    const auto rubs = [](ContactMode mode) { return mode == ContactMode::stick || mode == ContactMode::slip; };
    if (earlier != contact.mode && on_mode && rubs(earlier) && rubs(contact.mode)) on_mode(contact, t);
  }
  void watch(const StepContact& contact, double t, double h) {
    const double ratio = 0.25 * h * h * contact.stiffness_over_mass();
    if (ratio <= worst_ratio) return;
    worst_ratio = ratio;
    worst_time = t;
    worst_a = contact.a;
    worst_b = contact.b;
  }
};

}  // namespace carom::simulate

#pragma once

#include "carom/forces/engine/follower.h"
#include "carom/laws/compliant.h"
#include "carom/simulate/forced/located_contact.h"
#include "carom/simulate/forced/moving_contacts.h"

namespace carom::simulate {

/// What motion in an epoch is measured by.
struct LocatedScales {
  double speed = 0;       // [m/s] of approach
  double depth = 0;       // [m] of contacts, where there are none
  double tolerance = 0;   // [-]
  double first_step = 0;  // [s] 0: not known
};

/// Located motion between two searches for pairs: the engine's parts, set up for some contacts at one state. Its times
/// begin at 0.
class LocatedEpoch {
 public:
  LocatedEpoch(const Model& model, const ContactRules& rules, const Compliant& law, const State& state,
               const std::vector<LocatedContact>& contacts, const LocatedScales& of);
  LocatedEpoch(const LocatedEpoch&) = delete;
  LocatedEpoch& operator=(const LocatedEpoch&) = delete;

  double time() const { return start_ + follower.t; }  // [s] of the bodies
  double start() const { return start_; }
  State state() const;
  bool is_finite() const { return follower.y.allFinite(); }
  double fastest() const;  // [m/s] body now
  double worked(Index i) const { return follower.y[motion.work(i)] + follower.y[motion.rubbed(i)]; }
  double impulse(Index i) const { return kinematics.impulse(i, follower.y.data()); }
  /// Done by the contacts' normal motion and by all else, by loads and walls, and lost in dampers [J].
  struct Work {
    double pressed = 0, rubbed = 0, loads = 0, damped = 0;
  };
  Work work() const;
  /// In the contacts now [J]: of their normal force, and of what is elastic in friction and in turning.
  struct Stored {
    double pressed = 0, along = 0;
  };
  Stored stored(const forces::Moment& now) const;
  Stored stored(Index i, const forces::Moment& now) const;  // in one of them
  forces::Moment moment() const;

  /// Writes into the contacts what they have to remember.
  void keep(std::vector<LocatedContact>& contacts) const;

  MovingContacts kinematics;
  forces::Motion motion;
  forces::Scales scales;
  forces::Follower follower;

 private:
  void set_turning(const std::vector<LocatedContact>& contacts);
  Stored stored_without_turning(Index i, const forces::Moment& now) const;

  const Model& model_;
  double start_;
};

}  // namespace carom::simulate

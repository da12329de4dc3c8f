#pragma once

#include <set>

#include "carom/simulate/journal.h"

namespace carom::simulate {

/// The impacts of an event-driven run. Remembers how fast the fastest approach was: what is far slower has come to
/// rest.
class Impacts {
 public:
  /// `sets` are contacts with a law other than `law`.
  Impacts(const Model& model, const ContactRules& rules, const ImpactLaw& law, const LawSets& sets,
          const EventDriven& scheme, Journal& journal);

  /// Contacts that touch at the start: where a rule says that they are pressed there, the first impact finds the energy
  /// of it in them.
  void begin(const std::vector<ContactPair>& touching);

  /// Whether e rises to 1 at rest somewhere: bounces there need not come to an end.
  bool may_bounce_for_ever() const { return some_elastic_at_rest_; }

  /// Impacts of all islands of these contacts that approach faster than `slow` [m/s], again and again if they throw
  /// contacts onto others. Whether there were any.
  bool collide(State& state, const std::vector<ContactPair>& pairs, double slow);

  /// The velocities after the impact of one island; those of the other bodies stay.
  State after(State before, const Island& island);

  /// The same of balls that touch nothing else and approach at `closing` [m/s], fast enough to bounce: changes their
  /// velocities in the state. Nobody remembers it as one of a sequence of impacts but who tells it by `recall`.
  void bounce(State& state, const Island& island, const IslandProblem& problem, double closing);
  void recall(const std::vector<int>& bodies, const std::vector<double>& times) { journal_.recall(bodies, times); }

  /// The same with every approach stopped, where impacts throw contacts onto each other without an end.
  State stopped(State before, const Island& island);

  /// An impact of contacts that do not approach but that friction presses together: started by an approach of `nudge`
  /// [m/s], returns nothing, and is followed in the impulse (one contact) or by contact springs (several).
  State without_collision(State before, const Island& island, double nudge);

  /// The fastest approach of its contacts [m/s], 0 if there is none.
  double approach(const State& state, const Island& island) const;

  /// Whether the island approaches fast enough for an impact that is not taken as plastic.
  bool would_bounce(const State& state, const Island& island) const {
    return approach(state, island) > slow_for(island);
  }

  double fastest() const { return fastest_; }          // [m/s] approach so far
  void recall(double fastest) { fastest_ = fastest; }  // of an earlier run
  void archived(Archive& archive);
  double slow() const { return scheme_.rest * fastest_; }  // [m/s] impacts below are plastic
  double still() const { return kStill * slow(); }         // [m/s] below it a contact does not move at all

 private:
  static constexpr double kStill = 1e-2;
  /// Of the fastest approach: where e rises to 1 at rest, bounces below it are taken as rest. They would shrink ever
  /// more slowly.
  static constexpr double kRestIfElastic = 1e-4;

  bool is_elastic_at_rest(const Island& island) const;
  double slow_for(const Island& island) const;  // [m/s] impacts of it below are plastic
  void release(const Island& island, ImpactProblem& problem);

  State told(State before, const Island& island, const IslandProblem& problem, const Answer& found, bool at_rest,
             const ImpactLaw* law = nullptr);

  const Model& model_;
  const ContactRules& rules_;
  const ImpactLaw& law_;
  const LawSets& sets_;
  const EventDriven& scheme_;
  Journal& journal_;
  double fastest_ = 0;                 // [m/s] approach so far
  bool some_elastic_at_rest_ = false;  // among materials and rules
  std::set<PartPair> pressed_;         // since the start, and not hit yet
};

}  // namespace carom::simulate

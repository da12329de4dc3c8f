#pragma once

#include <string>
#include <vector>

#include "carom/simulate/observer.h"

namespace carom::record {

/// What two bodies exchanged in an impact.
struct PairImpulse {
  int body_a = -1, body_b = -1;  // ascending
  double impulse = 0;            // [N s] normal, of all their contacts
};

/// One impact of a run: an instant, or under contact forces the closures that overlap in time and share a free body. A
/// contact that was pressed long before it is hit counts from the hit, with all its impulse.
struct RunImpact {
  double t = 0, end = 0;           // [s] equal for an instant
  double lasts = 0;                // [s] what an instant takes inside, where the law follows it
  std::vector<PairImpulse> pairs;  // in the order of the bodies
  std::size_t contacts = 0;        // that took part
  bool friction = false;           // one of them has it
};

/// Keeps the first impacts of a run.
class FirstImpacts : public Observer {
 public:
  explicit FirstImpacts(std::size_t most) : most_(most) {}

  bool wants_problems() const override { return false; }
  void impact(const Model& model, const ImpactEvent& event) override;
  void closure(const Model& model, const ContactClosure& closure) override;

  /// In the order of time.
  std::vector<RunImpact> impacts(const Model& model) const;

  /// Whether no impact of the run had more than one contact, or friction.
  bool one_by_one() const { return one_by_one_; }

 private:
  std::size_t most_;
  std::vector<RunImpact> instants_;
  std::vector<ContactClosure> closures_;
  bool one_by_one_ = true;
};

/// Adds what two bodies exchange to a list that has each pair once, in the order of the bodies.
void add_impulse(std::vector<PairImpulse>& pairs, const PartPair& parts, double impulse);

/// "bead 1 - bead 2".
std::string pair_name(const Model& model, int body_a, int body_b);

}  // namespace carom::record

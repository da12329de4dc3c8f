#pragma once

#include <vector>

#include "carom/simulate/summary.h"

namespace carom::simulate {

/// What contacts carried in a time step, by contact.
class CarriedImpulses {
 public:
  CarriedImpulses() = default;
  /// In any order; of several for one contact the last counts.
  explicit CarriedImpulses(std::vector<CarriedImpulse> all);

  bool empty() const { return all_.empty(); }
  const std::vector<CarriedImpulse>& all() const { return all_; }  // ascending

  /// Nothing where the contact did not act.
  const Vector3* find(const ContactPair& pair) const;

  /// The same of many contacts, (pairs): quick where they ascend, as they do from one search to the next.
  void find(const std::vector<ContactPair>& pairs, std::vector<const Vector3*>& found) const;

 private:
  std::vector<CarriedImpulse> all_;
};

}  // namespace carom::simulate

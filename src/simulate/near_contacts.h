#pragma once

#include <vector>

#include "carom/simulate/contact_search.h"

namespace carom::simulate {

/// The touches of bodies from step to step. Which pairs of parts are near each other is looked for with a skin around
/// the bodies, and again only when one of them has moved through it.
class NearContacts {
 public:
  NearContacts(const Model& model, const ContactSearch& search) : model_(model), search_(search) {}

  /// As ContactSearch::touching, with the same answer.
  std::vector<ContactPair> touching(const State& state, double margin, double distance);

 private:
  double moved(const State& state) const;

  const Model& model_;
  const ContactSearch& search_;
  std::vector<PartPair> pairs_;  // within the margin and the distance of then
  std::vector<Pose> then_;       // (bodies)
  double margin_ = 0, distance_ = 0;
};

}  // namespace carom::simulate

#pragma once

#include <functional>
#include <vector>

#include "carom/laws/all.h"

namespace carom::analysis {

/// The courses of an impact whose contacts have their impacts one after the other, whichever closes being the next: a
/// tree. Each contact alone is the law sequential.
class ImpactOrders {
 public:
  /// Called with the share of a course, or of all, that is done; false ends it.
  using GoesOn = std::function<bool(double share)>;

  explicit ImpactOrders(const ImpactProblem& problem) : problem_(problem) {}

  /// One course. `choose(k)` says which of k closing contacts is next, 0 the fastest. After a number of impacts the
  /// fastest is, so that courses without an end have one.
  ImpactOutcome course(const std::function<std::size_t(std::size_t)>& choose, const GoesOn& goes_on = {}) const;

  /// The ends of all courses, the fastest contact's first; nothing if there are more than `most`, or it was ended.
  std::vector<ImpactOutcome> all(std::size_t most, const GoesOn& goes_on = {}) const;

 private:
  const ImpactProblem& problem_;
};

}  // namespace carom::analysis

#pragma once

#include <vector>

#include "carom/record/json.h"
#include "carom/record/run_summary.h"

namespace carom::record {

/// The impacts of a run for a page: the first some thousand and of the others the largest, by energy lost.
class ReportImpacts {
 public:
  void impact(const Model& model, const ImpactEvent& event);
  long count() const { return count_; }

  /// A list in the order of time; each has its "number" from 1, as the rows of impacts.csv.
  Json json() const;

 private:
  struct Kept {
    long number = 0;
    double size = 0;
    Json json;
  };
  long count_ = 0;
  std::vector<Kept> first_, largest_;  // the second a heap, the least on top
};

/// Impacts to look into: where the law follows them in time, the first and the largest are solved once more with their
/// path, so that the page can play it.
class ReportInside {
 public:
  explicit ReportInside(const ImpactLaw& law) : law_(law) {}
  void impact(const Model& model, const ImpactEvent& event, long number);

  /// A list: "number" of the impact, "times" from its first touch, "force" (times x contacts), "velocity" (times x
  /// bodies x axes), "points", "names", "bodies", "peak" [N].
  Json json(const Model& model) const;

 private:
  struct Followed {
    long number = 0;
    double size = 0;  // [N s] all normal impulses
    ImpactProblem problem;
    std::vector<ContactPair> pairs;
    std::vector<int> bodies;
  };
  Json inside_json(const Model& model, const Followed& one) const;

  ImpactLaw law_;
  std::vector<Followed> followed_;
};

}  // namespace carom::record

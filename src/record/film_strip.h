#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/record/run_summary.h"

namespace carom::record {

/// A moment of a run to be drawn.
struct FilmMoment {
  State state;
  std::string what;              // "start", "impact 3", "end", or nothing
  std::vector<Vector3> touches;  // where bodies meet at an impact
};

/// Watches a run and keeps a few moments of it: the start, the end, the largest impacts, and states between them where
/// long nothing happens. Memory stays bounded whatever the run.
class FilmStrip : public Observer {
 public:
  bool wants_problems() const override { return false; }
  void state(const Model& model, const State& state, const Ledger& ledger) override;
  void impact(const Model& model, const ImpactEvent& event) override;

  /// Six to twelve moments in the order of time; fewer where the run has recorded fewer.
  std::vector<FilmMoment> moments() const;

  /// A picture (SVG) of them: the plane from the front, space obliquely from above, all on one scale.
  std::string svg(const RunTitle& title, const Model& model) const;

 private:
  struct Met {
    FilmMoment moment;
    double size = 0;  // [N s]
  };
  std::vector<State> states_;  // thinned: every stride_-th recorded one
  State last_;
  long recorded_ = 0, stride_ = 1, impacts_ = 0;
  std::vector<Met> largest_;  // impacts
};

/// Moments as a picture; FilmStrip::svg in a form that tests can feed.
std::string film_svg(const std::string& title, const Model& model, const std::vector<FilmMoment>& moments);

}  // namespace carom::record

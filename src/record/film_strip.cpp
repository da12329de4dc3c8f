#include "carom/record/film_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/model/periodic.h"

namespace carom::record {
namespace {

constexpr std::size_t kMostPictures = 12, kUsualMoments = 8;
constexpr std::size_t kStatesKept = 96;    // before every second one is let go
constexpr std::size_t kImpactsKept = 24;   // the largest
constexpr std::size_t kTouchesShown = 60;  // of one impact
constexpr double kApart = 1.0 / 28;        // of the time shown: moments closer to another one are left out
constexpr double kLongGap = 1.0 / 9;       // the same: a state that far from others is shown

/// How far a time is from the moments chosen.
double distance_to(const std::vector<FilmMoment>& chosen, double t) {
  double least = std::numeric_limits<double>::infinity();
  for (const FilmMoment& one : chosen) least = std::min(least, std::abs(one.state.t - t));
  return least;
}

}  // namespace

void FilmStrip::state(const Model&, const State& state, const Ledger&) {
  last_ = state;
  if (recorded_++ % stride_ != 0) return;
  states_.push_back(state);
  if (states_.size() < kStatesKept) return;
  for (std::size_t i = 0; 2 * i < states_.size(); ++i) states_[i] = std::move(states_[2 * i]);
  states_.resize((states_.size() + 1) / 2);
  stride_ *= 2;
}

void FilmStrip::impact(const Model& model, const ImpactEvent& event) {
  ++impacts_;
  if (event.at_rest || event.outcome->u_plus.size() == 0) return;
  const double size = event.outcome->normal(event.outcome->Lambda).sum();
  const auto least =
      std::min_element(largest_.begin(), largest_.end(), [](const Met& x, const Met& y) { return x.size < y.size; });
  if (largest_.size() == kImpactsKept && size <= least->size) return;
  if (largest_.size() == kImpactsKept) largest_.erase(least);
  Met met{{inside_box(model, event.all_before()), fmt::format("impact {}", impacts_), {}}, size};
  for (std::size_t i = 0; i < std::min(event.pairs.size(), kTouchesShown); ++i)
    met.moment.touches.push_back(middle_of(model, event.pairs[i]));
  largest_.push_back(std::move(met));
}

std::vector<FilmMoment> FilmStrip::moments() const {
  std::vector<FilmMoment> chosen;
  if (states_.empty()) return chosen;
  chosen.push_back({states_.front(), "start", {}});
  const double shown = last_.t - states_.front().t;
  if (!(shown > 0)) return chosen;
  chosen.push_back({last_, "end", {}});
  std::vector<const Met*> impacts;
  for (const Met& one : largest_) impacts.push_back(&one);
  std::stable_sort(impacts.begin(), impacts.end(), [](const Met* x, const Met* y) { return x->size > y->size; });
  for (const Met* one : impacts)  // of those at the very beginning, the largest
    if (one->moment.state.t <= chosen.front().state.t && chosen.front().touches.empty())
      chosen.front() = {states_.front(), "start, " + one->moment.what, one->moment.touches};
  for (const Met* one : impacts)
    if (chosen.size() < kUsualMoments && distance_to(chosen, one->moment.state.t) > kApart * shown)
      chosen.push_back(one->moment);
  while (chosen.size() < kMostPictures) {  // the state that is farthest from all chosen ones
    const State* farthest = nullptr;
    double most = (chosen.size() < kUsualMoments ? kApart : kLongGap) * shown;
    for (const State& one : states_)
      if (const double away = distance_to(chosen, one.t); away > most) {
        most = away;
        farthest = &one;
      }
    if (farthest == nullptr) break;
    chosen.push_back({*farthest, "", {}});
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const FilmMoment& x, const FilmMoment& y) { return x.state.t < y.state.t; });
  return chosen;
}

std::string FilmStrip::svg(const RunTitle& title, const Model& model) const {
  const std::string name = title.title.empty() ? title.scene : title.title;
  return film_svg(fmt::format("{}, {}", name, title.law), model, moments());
}

}  // namespace carom::record

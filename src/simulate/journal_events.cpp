#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/simulate/end_of_bounces.h"
#include "carom/simulate/journal.h"

namespace carom::simulate {
namespace {

constexpr double kSameSpot = 1e-6;  // of the smaller body's size: a contact that is told by another feature

std::string place_text(const Model& model, const Vector3& point) {
  const auto rounded = [](double x) { return std::abs(x) < 1e-12 ? 0.0 : x; };
  switch (model.dimension()) {
    case Dimension::line:
      return fmt::format("at {:.6g}", rounded(point.x()));
    case Dimension::plane:
      return fmt::format("at ({:.6g}, {:.6g})", rounded(point.x()), rounded(point.y()));
    default:
      return fmt::format("at ({:.6g}, {:.6g}, {:.6g})", rounded(point.x()), rounded(point.y()), rounded(point.z()));
  }
}

/// Where the corner is now at which a contact was; of other contacts nothing is known once they are open.
std::string corner_text(const Model& model, const State& state, const ContactPair& pair) {
  constexpr auto corner = geometry::Element::Kind::corner;
  if (pair.point.feature.a.kind == corner)
    return place_text(model, model.pose(pair.parts.body_a, state).to_world(pair.local_a));
  if (pair.point.feature.b.kind == corner)
    return place_text(model, model.pose(pair.parts.body_b, state).to_world(pair.local_b));
  return "";
}

/// A mode whose contacts are found by their pair of parts.
class Directory {
 public:
  Directory(const Model& model, const Mode& mode) : model_(model), mode_(mode), order_(mode.closed.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t i, std::size_t j) { return mode.closed[i].parts < mode.closed[j].parts; });
  }

  /// The same contact, or nothing.
  std::optional<std::size_t> find(const ContactPair& pair) const {
    const auto first =
        std::lower_bound(order_.begin(), order_.end(), pair.parts,
                         [&](std::size_t i, const PartPair& parts) { return mode_.closed[i].parts < parts; });
    auto last = first;
    for (; last != order_.end() && mode_.closed[*last].parts == pair.parts; ++last)
      if (mode_.closed[*last].same_as(pair)) return *last;
    const double near = first == last ? 0 : kSameSpot * smaller_size(model_, pair.parts);
    for (auto one = first; one != last; ++one)
      if (mode_.closed[*one].coincides_with(pair, near)) return *one;
    return std::nullopt;
  }

 private:
  const Model& model_;
  const Mode& mode_;
  std::vector<std::size_t> order_;
};

RunEvent::Kind kind_of(ContactMode mode) {
  return word_for(mode) == word_for(ContactMode::slip) ? RunEvent::Kind::slips : RunEvent::Kind::sticks;
}

}  // namespace

void Journal::event(double t, RunEvent::Kind kind, std::string what, std::string detail) {
  if (!wants_forces()) return;
  tell_foreseen(t);
  observer_.event(model_, {t, kind, std::move(what), std::move(detail)});
}

/// The ends of infinite sequences are known a little before they come: rows of events are in the order of time.
void Journal::tell_foreseen(double until) {
  if (foreseen_.empty()) return;
  std::stable_sort(foreseen_.begin(), foreseen_.end(), [](const RunEvent& x, const RunEvent& y) { return x.t < y.t; });
  auto next = foreseen_.begin();
  for (; next != foreseen_.end() && next->t <= until; ++next) observer_.event(model_, *next);
  foreseen_.erase(foreseen_.begin(), next);
}

void Journal::happened(double t, RunEvent::Kind kind, const PartPair& parts) {
  if (wants_forces()) event(t, kind, name(parts), "");
}

void Journal::contacts_now(const State& state, const Mode& mode) {
  if (!wants_forces()) return;
  if (!knows_closed_) closed_ = mode;
  knows_closed_ = true;
  const Directory now_known(model_, mode), known(model_, closed_);
  for (std::size_t i = 0; i < closed_.closed.size(); ++i) {
    const ContactPair& pair = closed_.closed[i];
    if (!now_known.find(pair))
      event(state.t, RunEvent::Kind::opens, name(pair.parts), corner_text(model_, state, pair));
  }
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    const ContactPair& pair = mode.closed[i];
    const ContactMode now = mode.tangential[i].mode;
    const std::optional<std::size_t> before = known.find(pair);
    if (!before)
      event(state.t, RunEvent::Kind::closes, name(pair.parts),
            fmt::format("{}, {}", place_text(model_, pair.point.point_a), word_for(now)));
    else if (word_for(now) != word_for(closed_.tangential[*before].mode) && now != ContactMode::closed)
      event(state.t, kind_of(now), name(pair.parts), place_text(model_, pair.point.point_a));
  }
  closed_ = mode;
}

void Journal::closure(const ContactClosure& closure) {
  losses_.add({closure.parts.body_a, closure.parts.body_b, -1, 1, closure.dissipated});
  if (closure.opened) happened(closure.end, RunEvent::Kind::opens, closure.parts);
  observer_.closure(model_, closure);
}

void Journal::lasting(std::vector<ContactClosure> closures) {
  std::sort(closures.begin(), closures.end(),
            [](const ContactClosure& x, const ContactClosure& y) { return x.parts < y.parts; });
  for (ContactClosure& one : closures) {
    one.opened = false;
    closure(one);
  }
}

void Journal::note_accumulation(double t, const Island& island, const ImpactProblem& problem, bool at_rest) {
  const std::vector<double> times = sequences_.note(t, island.bodies, at_rest);
  if (times.empty()) return;
  if (const std::optional<double> end = end_of_bounces(times, problem)) {
    summary.accumulation_times.push_back(*end);
    if (wants_forces())
      foreseen_.push_back(
          {*end, RunEvent::Kind::accumulation, names(island.pairs, "-"), "infinitely many impacts come to an end"});
  } else {
    event(t, RunEvent::Kind::accumulation, names(island.pairs, "-"),
          "bounces would go on for ever, ever weaker; they are taken as rest from here on");
  }
}

}  // namespace carom::simulate

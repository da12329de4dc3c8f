#include "carom/simulate/mode_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

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

std::vector<ModeEvent> mode_events(const Model& model, const State& state, const Mode& before, const Mode& now) {
  std::vector<ModeEvent> events;
  const Directory before_known(model, before), now_known(model, now);
  for (const ContactPair& pair : before.closed)
    if (!now_known.find(pair)) events.push_back({RunEvent::Kind::opens, pair.parts, corner_text(model, state, pair)});
  for (std::size_t i = 0; i < now.closed.size(); ++i) {
    const ContactPair& pair = now.closed[i];
    const ContactMode mode = now.tangential[i].mode;
    const std::optional<std::size_t> known = before_known.find(pair);
    const std::string place = place_text(model, pair.point.point_a);
    if (!known)
      events.push_back({RunEvent::Kind::closes, pair.parts, fmt::format("{}, {}", place, word_for(mode))});
    else if (word_for(mode) != word_for(before.tangential[*known].mode) && mode != ContactMode::closed)
      events.push_back({kind_of(mode), pair.parts, place});
  }
  return events;
}

}  // namespace carom::simulate

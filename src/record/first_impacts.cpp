#include "carom/record/first_impacts.h"

#include <algorithm>
#include <utility>

namespace carom::record {
namespace {

constexpr double kTouch = 1e-9;                // of the largest impulse: closures below are rounding
constexpr std::size_t kClosuresOfImpact = 64;  // that an impact may have on average, of those that are kept

/// When a contact was hit: while its closure lasts, or, if it was pressed long before, around its largest force.
struct Hit {
  const ContactClosure* closure = nullptr;
  double begin = 0, end = 0;  // [s]
  bool was_pressed = false;
};

Hit hit_of(const ContactClosure& closure) {
  constexpr double kLong = 6, kAround = 2;  // of the time in which the largest force would give the impulse
  Hit hit{&closure, closure.begin, closure.end, false};
  const double pulse = closure.peak_force > 0 ? closure.impulse / closure.peak_force : hit.end - hit.begin;
  if (hit.end - hit.begin <= kLong * pulse) return hit;
  hit.was_pressed = true;
  hit.begin = std::max(hit.begin, closure.peak_time - kAround * pulse);
  hit.end = std::min(hit.end, closure.peak_time + kAround * pulse);
  return hit;
}

/// Hits of one impact, while they are gathered.
struct Burst {
  double begin = 0, end = 0;
  std::vector<Hit> hits;

  bool meets(const Hit& later, const Model& model) const {
    if (later.begin > end) return false;
    const auto free_in = [&](int body, const PartPair& parts) {
      return model.bodies()[body].is_free() && (parts.body_a == body || parts.body_b == body);
    };
    const PartPair& bodies = later.closure->parts;
    return std::any_of(hits.begin(), hits.end(), [&](const Hit& one) {
      return free_in(bodies.body_a, one.closure->parts) || free_in(bodies.body_b, one.closure->parts);
    });
  }

  /// The first touch; if everything was pressed before, the begin.
  double touch() const {
    double first = end;
    for (const Hit& one : hits)
      if (!one.was_pressed) first = std::min(first, one.begin);
    return first < end ? first : begin;
  }
};

std::vector<Burst> bursts_of(std::vector<Hit> hits, const Model& model) {
  std::sort(hits.begin(), hits.end(), [](const Hit& x, const Hit& y) {
    return x.begin != y.begin ? x.begin < y.begin : x.closure->parts < y.closure->parts;
  });
  std::vector<Burst> open, closed;
  for (const Hit& one : hits) {
    Burst joined{one.begin, one.end, {}};
    std::vector<Burst> others;
    for (Burst& burst : open) {
      if (burst.meets(one, model)) {
        joined.begin = std::min(joined.begin, burst.begin);
        joined.end = std::max(joined.end, burst.end);
        joined.hits.insert(joined.hits.end(), burst.hits.begin(), burst.hits.end());
      } else {
        (burst.end < one.begin ? closed : others).push_back(std::move(burst));
      }
    }
    joined.hits.push_back(one);
    others.push_back(std::move(joined));
    open = std::move(others);
  }
  closed.insert(closed.end(), open.begin(), open.end());
  std::stable_sort(closed.begin(), closed.end(), [](const Burst& x, const Burst& y) { return x.begin < y.begin; });
  return closed;
}

}  // namespace

void FirstImpacts::impact(const Model&, const ImpactEvent& event) {
  const std::vector<Contact>& contacts = event.problem->contacts;
  const bool friction = std::any_of(contacts.begin(), contacts.end(),
                                    [](const Contact& contact) { return contact.mu > 0 || contact.e_t != 0; });
  one_by_one_ = one_by_one_ && contacts.size() == 1 && !friction;
  if (instants_.size() >= most_) return;
  const ImpactOutcome& outcome = *event.outcome;
  RunImpact told{event.t, event.t, outcome.duration.value_or(0), {}, contacts.size(), friction};
  for (std::size_t i = 0; i < event.pairs.size() && outcome.Lambda.size() > 0; ++i)
    add_impulse(told.pairs, event.pairs[i].parts, outcome.Lambda[outcome.row[i]]);
  instants_.push_back(std::move(told));
}

void FirstImpacts::closure(const Model&, const ContactClosure& closure) {
  if (closure.opened && closures_.size() < most_ * kClosuresOfImpact) closures_.push_back(closure);
}

std::vector<RunImpact> FirstImpacts::impacts(const Model& model) const {
  std::vector<RunImpact> result = instants_;
  double strongest = 0;
  for (const ContactClosure& one : closures_) strongest = std::max(strongest, one.impulse);
  std::vector<Hit> hits;
  for (const ContactClosure& one : closures_)
    if (one.impulse > kTouch * strongest) hits.push_back(hit_of(one));
  for (const Burst& burst : bursts_of(std::move(hits), model)) {
    if (result.size() >= most_) break;
    const double t = burst.touch();
    RunImpact told{t, burst.end, burst.end - t, {}, 0, false};
    for (const Hit& one : burst.hits) add_impulse(told.pairs, one.closure->parts, one.closure->impulse);
    told.contacts = told.pairs.size();
    result.push_back(std::move(told));
  }
  return result;
}

void add_impulse(std::vector<PairImpulse>& pairs, const PartPair& parts, double impulse) {
  const auto before = [](const PairImpulse& one, const PartPair& wanted) {
    return std::pair(one.body_a, one.body_b) < std::pair(wanted.body_a, wanted.body_b);
  };
  const auto found = std::lower_bound(pairs.begin(), pairs.end(), parts, before);
  if (found != pairs.end() && found->body_a == parts.body_a && found->body_b == parts.body_b)
    found->impulse += impulse;
  else
    pairs.insert(found, {parts.body_a, parts.body_b, impulse});
}

std::string pair_name(const Model& model, int body_a, int body_b) {
  return model.bodies()[body_a].name + " - " + model.bodies()[body_b].name;
}

}  // namespace carom::record

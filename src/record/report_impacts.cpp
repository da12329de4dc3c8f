#include "carom/record/report_impacts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/base/error.h"
#include "carom/record/packed.h"
#include "carom/record/report_path.h"

namespace carom::record {
namespace {

constexpr std::size_t kFirstKept = 3000, kLargestKept = 1000;
constexpr std::size_t kContactsListed = 40;  // of one impact, the largest impulses

constexpr std::size_t kFollowed = 12, kFollowedFirst = 2;
constexpr std::size_t kContactsFollowed = 4000;  // of an impact that is solved again
constexpr std::size_t kStatesFollowed = 20'000;
constexpr std::size_t kBodiesShown = 400;

Index axes_in(const Model& model) {
  return static_cast<Index>(model.dimension());
}

Json digits_of(const Vector& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(six_digits(value));
  return list;
}

Json head_json(const Model& model, const Vector3& v) {
  return digits_of(v.head(axes_in(model)));
}

/// Of each body vx | vx, vy, spin | vx, vy, vz, wx, wy, wz, in the world.
Json velocities_json(const Model& model, const ImpactEvent& event, const Vector& u) {
  Json list = Json::array();
  const Index axes = axes_in(model), width = axes == 1 ? 1 : axes == 2 ? 3 : 6;
  Index first = 0;
  for (const int body : event.bodies) {
    if (first + width > u.size()) break;
    Vector own = u.segment(first, width);
    if (axes == 3) own.tail<3>() = model.pose(body, *event.before).orientation * Vector3(own.tail<3>());
    list.push_back(digits_of(own));
    first += width;
  }
  return list;
}

Json contacts_json(const Model& model, const ImpactEvent& event) {
  const ImpactOutcome& outcome = *event.outcome;
  const bool solved = outcome.u_plus.size() > 0;
  const Vector before = outcome.normal(outcome.gamma_minus);
  const Vector after = solved ? outcome.normal(outcome.gamma_plus) : Vector();
  const Vector impulse = solved ? outcome.normal(outcome.Lambda) : Vector();
  std::vector<std::size_t> order(event.pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (solved && order.size() > kContactsListed) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return impulse[i] > impulse[j]; });
    order.resize(kContactsListed);
  }
  Json list = Json::array();
  for (const std::size_t i : order) {
    const geometry::ContactPoint& point = event.pairs[i].point;
    Json one = {{"name", event.problem->contacts[i].name},
                {"at", head_json(model, middle_of(model, event.pairs[i]))},
                {"before", six_digits(before[i])}};
    if (solved) {
      one["after"] = six_digits(after[i]);
      one["impulse"] = six_digits(impulse[i]);
      const Vector along = outcome.tangential(outcome.Lambda, i);
      Vector3 whole = impulse[i] * point.normal;
      if (along.size() > 0) whole += tangents_of(event.pairs[i], model.dimension()) * along;
      one["vector"] = head_json(model, whole);
    }
    if (outcome.peak_force) one["peak"] = six_digits((*outcome.peak_force)[i]);
    list.push_back(std::move(one));
  }
  return list;
}

Json impact_json(const Model& model, const ImpactEvent& event, long number) {
  const ImpactOutcome& outcome = *event.outcome;
  const bool solved = outcome.u_plus.size() > 0;
  const Vector before = outcome.normal(outcome.gamma_minus);
  Json json = {{"number", number},
               {"t", event.t},
               {"bodies", event.bodies},
               {"contacts", contacts_json(model, event)},
               {"contact_count", event.pairs.size()},
               {"law", outcome.law},
               {"status", to_string(outcome.status)},
               {"at_rest", event.at_rest},
               {"approach", six_digits(before.size() > 0 ? std::max(0.0, -before.minCoeff()) : 0)},
               {"impulse", six_digits(solved ? outcome.normal(outcome.Lambda).sum() : 0)},
               {"energy_before", six_digits(outcome.energy.before)},
               {"energy_after", six_digits(outcome.energy.after)},
               {"dissipated", six_digits(solved ? outcome.energy.dissipated() : 0)},
               {"consistent", outcome.certificate.consistent}};
  const Certificate::Residuals& residuals = outcome.certificate.relative;
  json["residual"] = six_digits(
      std::max({residuals.dynamics, residuals.kinematic, residuals.kinetic, residuals.energetic, residuals.ledger}));
  if (outcome.duration) json["duration"] = six_digits(*outcome.duration);
  if (event.bodies.size() <= kContactsListed) {
    json["velocities_before"] = velocities_json(model, event, event.u_before);
    json["velocities_after"] = velocities_json(model, event, event.u_after);
  }
  return json;
}

}  // namespace

void ReportImpacts::impact(const Model& model, const ImpactEvent& event) {
  ++count_;
  const double size = event.outcome->u_plus.size() > 0 ? std::abs(event.outcome->energy.dissipated()) : 0;
  if (first_.size() < kFirstKept) {
    first_.push_back({count_, size, impact_json(model, event, count_)});
    return;
  }
  const auto larger = [](const Kept& x, const Kept& y) { return x.size > y.size; };
  if (largest_.size() == kLargestKept) {
    if (size <= largest_.front().size) return;
    std::pop_heap(largest_.begin(), largest_.end(), larger);
    largest_.pop_back();
  }
  largest_.push_back({count_, size, impact_json(model, event, count_)});
  std::push_heap(largest_.begin(), largest_.end(), larger);
}

Json ReportImpacts::json() const {
  std::vector<const Kept*> all;
  for (const Kept& one : first_) all.push_back(&one);
  for (const Kept& one : largest_) all.push_back(&one);
  std::sort(all.begin(), all.end(), [](const Kept* x, const Kept* y) { return x->number < y->number; });
  Json list = Json::array();
  for (const Kept* one : all) list.push_back(one->json);
  return list;
}

void ReportInside::impact(const Model&, const ImpactEvent& event, long number) {
  const ImpactOutcome& outcome = *event.outcome;
  if (event.at_rest || event.law != nullptr || !outcome.solved() || outcome.law != name_of(law_) || !has_path(law_))
    return;
  if (event.pairs.empty() || event.pairs.size() > kContactsFollowed) return;
  const double size = outcome.normal(outcome.Lambda).sum();
  const auto add = [&] { followed_.push_back({number, size, *event.problem, event.pairs, event.bodies}); };
  if (followed_.size() < kFollowed) return add();
  const auto least = std::min_element(followed_.begin() + kFollowedFirst, followed_.end(),
                                      [](const Followed& x, const Followed& y) { return x.size < y.size; });
  if (size <= least->size) return;
  followed_.erase(least);
  add();
}

Json ReportInside::json(const Model& model) const {
  Json list = Json::array();
  for (const Followed& one : followed_) {
    Json inside = inside_json(model, one);
    if (inside != Json()) list.push_back(std::move(inside));
  }
  return list;
}

Json ReportInside::inside_json(const Model& model, const Followed& one) const {
  Path path;
  path.most_states = kStatesFollowed;
  try {
    solve(one.problem, law_, &path);
  } catch (const InputError&) {  // it was solved within a run by other means
    return {};
  }
  if (path.parameter != Path::Parameter::time) return {};
  const std::vector<Index> bodies = spread(one.bodies.size(), kBodiesShown);
  const Index axes = axes_in(model), width = axes == 1 ? 1 : axes == 2 ? 3 : 6;
  std::vector<Index> u_rows;
  Json points = Json::array(), shown = Json::array();
  for (const Index body : bodies) {
    for (Index axis = 0; axis < axes; ++axis) u_rows.push_back(body * width + axis);
    shown.push_back(one.bodies[body]);
  }
  Json seen = path_to_see(one.problem, path, u_rows);
  if (seen == Json()) return {};
  for (const Index contact : contacts_to_see(one.pairs.size()))
    points.push_back(head_json(model, middle_of(model, one.pairs[contact])));
  seen["number"] = one.number;
  seen["points"] = std::move(points);
  seen["bodies"] = std::move(shown);
  return seen;
}

}  // namespace carom::record

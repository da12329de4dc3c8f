#include "carom/record/report_impacts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/base/error.h"
#include "carom/record/packed.h"

namespace carom::record {
namespace {

constexpr std::size_t kFirstKept = 3000, kLargestKept = 1000;
constexpr std::size_t kContactsListed = 40;  // of one impact, the largest impulses

constexpr std::size_t kFollowed = 12, kFollowedFirst = 2;
constexpr std::size_t kContactsFollowed = 4000;  // of an impact that is solved again
constexpr std::size_t kStatesFollowed = 20'000;
constexpr std::size_t kContactsShown = 300;  // evenly taken from more
constexpr double kNumbersShown = 30'000;     // of one impact: contacts times moments
constexpr std::size_t kFewestMoments = 120, kMostMoments = 360;
constexpr double kFaded = 1e-3;  // of the largest force: what is weaker at the end is not played
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
                {"at", head_json(model, 0.5 * (point.point_a + point.point_b))},
                {"before", six_digits(before[i])}};
    if (solved) {
      one["after"] = six_digits(after[i]);
      one["impulse"] = six_digits(impulse[i]);
      const Vector along = outcome.tangential(outcome.Lambda, i);
      Vector3 whole = impulse[i] * point.normal;
      if (along.size() > 0) whole += tangents_of(point.normal, model.dimension()) * along;
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

/// At `t` between the states of a path, linearly.
template <class Value>
double at_time(const Path& path, std::size_t& state, double t, Value&& value) {
  const std::vector<Path::State>& states = path.states;
  while (state + 2 < states.size() && states[state + 1].time < t) ++state;
  const Path::State &a = states[state], &b = states[state + 1];
  const double part = b.time > a.time ? std::clamp((t - a.time) / (b.time - a.time), 0.0, 1.0) : 1;
  return (1 - part) * value(a) + part * value(b);
}

/// Evenly spread numbers below `count`, at most `most`, the first and the last among them.
std::vector<Index> spread(std::size_t count, std::size_t most) {
  std::vector<Index> chosen;
  const std::size_t taken = std::min(count, most);
  for (std::size_t i = 0; i < taken; ++i)
    chosen.push_back(static_cast<Index>(taken < 2 ? 0 : i * (count - 1) / (taken - 1)));
  return chosen;
}

/// When the forces have faded; 0: there are none.
double last_moment(const Path& path, double peak) {
  for (std::size_t i = path.states.size(); i-- > 0;)
    if (path.states[i].force.size() > 0 && path.states[i].force.maxCoeff() > kFaded * peak)
      return path.states[std::min(i + 1, path.states.size() - 1)].time;
  return 0;
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
  if (path.parameter != Path::Parameter::time || path.states.size() < 3) return {};
  double peak = 0;
  for (const Path::State& state : path.states)
    if (state.force.size() == static_cast<Index>(one.pairs.size())) peak = std::max(peak, state.force.maxCoeff());
  const double begin = path.states.front().time, end = last_moment(path, peak);
  if (!(peak > 0) || !(end > begin) || !std::isfinite(end)) return {};
  const std::vector<Index> contacts = spread(one.pairs.size(), kContactsShown);
  const std::vector<Index> bodies = spread(one.bodies.size(), kBodiesShown);
  const std::size_t moments = std::clamp(static_cast<std::size_t>(kNumbersShown / static_cast<double>(contacts.size())),
                                         kFewestMoments, kMostMoments);
  const Index axes = axes_in(model), width = axes == 1 ? 1 : axes == 2 ? 3 : 6;
  std::vector<float> times, force, velocity, kinetic, stored;
  const auto value_or_0 = [](const Vector& v, Index i) { return i < v.size() ? v[i] : 0.0; };
  for (std::size_t i = 0, state = 0; i < moments; ++i) {
    const double t = begin + (end - begin) * static_cast<double>(i) / static_cast<double>(moments - 1);
    const auto at = [&](auto&& value) { return static_cast<float>(at_time(path, state, t, value)); };
    times.push_back(static_cast<float>(t - begin));
    for (const Index contact : contacts)
      force.push_back(at([&](const Path::State& s) { return value_or_0(s.force, contact); }));
    for (const Index body : bodies)
      for (Index axis = 0; axis < axes; ++axis)
        velocity.push_back(at([&](const Path::State& s) { return value_or_0(s.u, body * width + axis); }));
    kinetic.push_back(at([](const Path::State& s) { return s.kinetic; }));
    stored.push_back(at([](const Path::State& s) { return s.stored.sum(); }));
  }
  Json names = Json::array(), points = Json::array(), shown = Json::array();
  for (const Index contact : contacts) {
    const geometry::ContactPoint& point = one.pairs[contact].point;
    names.push_back(one.problem.contacts[contact].name);
    points.push_back(head_json(model, 0.5 * (point.point_a + point.point_b)));
  }
  for (const Index body : bodies) shown.push_back(one.bodies[body]);
  return {{"number", one.number},
          {"contact_count", one.pairs.size()},
          {"names", std::move(names)},
          {"points", std::move(points)},
          {"bodies", std::move(shown)},
          {"peak", six_digits(peak)},
          {"times", packed_floats(times)},
          {"force", packed_table(force, contacts.size(), 10'000)},
          {"velocity", packed_floats(velocity)},
          {"kinetic", packed_floats(kinetic)},
          {"stored", packed_floats(stored)}};
}

}  // namespace carom::record

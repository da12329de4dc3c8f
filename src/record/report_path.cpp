#include "carom/record/report_path.h"

#include <algorithm>
#include <cmath>

#include "carom/record/packed.h"

namespace carom::record {
namespace {

constexpr std::size_t kContactsShown = 300;  // evenly taken from more
constexpr double kNumbersShown = 30'000;     // of one impact: contacts times moments
constexpr std::size_t kFewestMoments = 120, kMostMoments = 360;
constexpr double kFadedOnPage = 1e-3;  // of the largest force: what is weaker at the end is not played

/// At `t` between the states of a path, linearly.
template <class Value>
double at_time(const Path& path, std::size_t& state, double t, Value&& value) {
  const std::vector<Path::State>& states = path.states;
  while (state + 2 < states.size() && states[state + 1].time < t) ++state;
  const Path::State &a = states[state], &b = states[state + 1];
  const double part = b.time > a.time ? std::clamp((t - a.time) / (b.time - a.time), 0.0, 1.0) : 1;
  return (1 - part) * value(a) + part * value(b);
}

/// The largest force of a contact at the states after `from` until `to`, of which `state` is the first; 0: there are
/// none.
double largest_between(const Path& path, std::size_t state, double from, double to, Index contact) {
  double most = 0;
  for (; state < path.states.size() && path.states[state].time <= to; ++state)
    if (path.states[state].time > from && contact < path.states[state].force.size())
      most = std::max(most, path.states[state].force[contact]);
  return most;
}

/// When the forces have faded; 0: there are none.
double last_moment(const Path& path, double peak) {
  for (std::size_t i = path.states.size(); i-- > 0;)
    if (path.states[i].force.size() > 0 && path.states[i].force.maxCoeff() > kFadedOnPage * peak)
      return path.states[std::min(i + 1, path.states.size() - 1)].time;
  return 0;
}

double largest_force(const Path& path, std::size_t contacts) {
  double peak = 0;
  for (const Path::State& state : path.states)
    if (contacts > 0 && state.force.size() == static_cast<Index>(contacts))
      peak = std::max(peak, state.force.maxCoeff());
  return peak;
}

}  // namespace

std::vector<Index> spread(std::size_t count, std::size_t most) {
  std::vector<Index> chosen;
  const std::size_t taken = std::min(count, most);
  for (std::size_t i = 0; i < taken; ++i)
    chosen.push_back(static_cast<Index>(taken < 2 ? 0 : i * (count - 1) / (taken - 1)));
  return chosen;
}

std::vector<Index> contacts_to_see(std::size_t count) {
  return spread(count, kContactsShown);
}

Json path_to_see(const ImpactProblem& problem, const Path& path, const std::vector<Index>& u_rows) {
  const bool in_time = path.parameter == Path::Parameter::time;
  if (path.states.size() < (in_time ? 3 : 2)) return {};
  const double peak = in_time ? largest_force(path, problem.contacts.size()) : 0;
  const double begin = path.states.front().time, end = in_time ? last_moment(path, peak) : path.states.back().time;
  if ((in_time && !(peak > 0)) || !(end > begin) || !std::isfinite(end)) return {};
  const std::vector<Index> contacts = contacts_to_see(problem.contacts.size());
  const std::size_t moments = std::clamp(static_cast<std::size_t>(kNumbersShown / static_cast<double>(contacts.size())),
                                         kFewestMoments, kMostMoments);
  std::vector<float> times, force, velocity, kinetic, stored;
  const auto value_or_0 = [](const Vector& v, Index i) { return i < v.size() ? v[i] : 0.0; };
  const bool crowded = in_time && moments == kFewestMoments;  // a wave would pass between two moments unseen
  double before = begin;
  for (std::size_t i = 0, state = 0; i < moments; ++i) {
    const double t = begin + (end - begin) * static_cast<double>(i) / static_cast<double>(moments - 1);
    const std::size_t first = state;
    const auto at = [&](auto&& value) { return static_cast<float>(at_time(path, state, t, value)); };
    times.push_back(static_cast<float>(t - begin));
    for (const Index contact : contacts) {
      const float now = at([&](const Path::State& s) { return value_or_0(s.force, contact); });
      const double passed = crowded ? largest_between(path, first, before, t, contact) : 0;
      force.push_back(std::max(now, static_cast<float>(passed)));
    }
    before = t;
    for (const Index row : u_rows) velocity.push_back(at([&](const Path::State& s) { return value_or_0(s.u, row); }));
    kinetic.push_back(at([](const Path::State& s) { return s.kinetic; }));
    stored.push_back(at([](const Path::State& s) { return s.stored.size() > 0 ? s.stored.sum() : 0.0; }));
  }
  Json names = Json::array();
  for (const Index contact : contacts) names.push_back(problem.contacts[contact].name);
  return {{"parameter", in_time ? "time" : "impulse"},
          {"contact_count", problem.contacts.size()},
          {"contacts", contacts},
          {"names", std::move(names)},
          {"peak", six_digits(peak)},
          {"times", packed_floats(times)},
          {"force", packed_table(force, contacts.size(), 10'000)},
          {"velocity", packed_floats(velocity)},
          {"kinetic", packed_floats(kinetic)},
          {"stored", packed_floats(stored)}};
}

}  // namespace carom::record

#include "carom/laws/one_contact/onset.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/laws/one_contact/closing_contact.h"
#include "carom/laws/one_contact/growth.h"

namespace carom::one_contact {
namespace {

constexpr int kRounds = 3000;            // of the search for a direction
constexpr double kShare = 0.5;           // of the way to the next one: what parts strongly would go round in circles
constexpr double kSlower = 50;           // rounds, after which the share is half of it, then a third
constexpr double kSettledOnset = 1e-13;  // its distance from the next one at which it ends
constexpr double kNoPart = 1e-9;         // of the largest entry of a direction: a smaller one dies out
constexpr double kOtherOnset = 1e-6;     // directions that differ by more are two
constexpr Index kMostSubsets = 5;        // contacts at rest of which every subset is tried as the first to start
constexpr Index kMostFirst = 12;         // of more than that none is tried by itself: numbers must not choose

/// The direction that this disturbance of contacts grows along; nothing if it does not.
std::optional<Vector> direction(const Growth& growth, Vector d) {
  double change = 1;
  for (int round = 0; round < kRounds && change > kSettledOnset; ++round) {
    Vector next = growth.accelerations(d);
    const double largest = next.maxCoeff();
    if (!(largest > 0)) return std::nullopt;
    const double share = kShare / (1 + round / kSlower);
    next /= largest;
    change = (next - d).cwiseAbs().maxCoeff();
    d += share * (next - d);
    d /= d.maxCoeff();
    d = (d.array() < kNoPart).select(0, d);
  }
  return d;
}

/// 1 for contacts that friction presses together, each by itself.
Vector unstable_ones(const Growth& growth) {
  Vector result = Vector::Zero(growth.size());
  for (Index i = 0; i < growth.size(); ++i) result[i] = is_tangential_impact(growth.at_rest(i)) ? 1 : 0;
  return result;
}

void add_others(const Growth& growth, Onset& onset) {
  const Index n = growth.size();
  if (n < 2) return;
  onset.others.push_back(growth.speeds(Vector::Ones(n)));
  for (Index i = 0; i < n && n <= kMostFirst; ++i) onset.others.push_back(growth.speeds(Vector::Unit(n, i)));
}

/// Disturbances that are tried: equal ones of all that grow alone (or of all, if none does), then of others, in sets
/// that do not depend on numbers.
std::vector<Vector> disturbances(const Growth& growth) {
  const Index n = growth.size();
  const Vector unstable = unstable_ones(growth);
  std::vector<Vector> result = {unstable.isZero(0) ? Vector(Vector::Ones(n)) : unstable, Vector::Ones(n)};
  if (n <= kMostSubsets) {
    for (Index set = 1; set < (Index{1} << n) - 1; ++set) {
      Vector one(n);
      for (Index i = 0; i < n; ++i) one[i] = static_cast<double>(set >> i & 1);
      result.push_back(one);
    }
    return result;
  }
  for (Index i = 0; i < n && unstable.sum() <= kMostFirst; ++i)
    if (unstable[i] > 0) result.push_back(Vector::Unit(n, i));
  return result;
}

/// Whether forces of contacts that close decide what this one does.
bool is_decided(const ContactProblem& problem, Index i, const std::vector<Index>& closing) {
  const int first = surely_moves(problem, closing.front(), i);
  return first != 0 &&
         std::all_of(closing.begin(), closing.end(), [&](Index j) { return surely_moves(problem, j, i) == first; });
}

}  // namespace

Onset onset_beside_closing(const ContactProblem& problem, const std::vector<Index>& group,
                           const std::vector<Index>& closing, Restitution restitution) {
  Onset onset{.starting = tangential_impacts_among(problem, group), .alone = false};
  if (!onset.starting.empty()) {
    Vector start = Vector::Zero(problem.size());
    for (const Index i : onset.starting) start[i] = std::sqrt(seen_alone(problem, i).B_nn());
    onset.directions = {start};
  }
  const Growth growth(problem, group);
  if (growth.nothing_grows(restitution)) return onset;
  for (Index i = 0; i < growth.size(); ++i)
    onset.one_way = onset.one_way && is_decided(problem, growth.at_rest(i).contact, closing);
  return onset;
}

Onset onset_of(const ContactProblem& problem, const std::vector<Index>& group, Restitution restitution) {
  Onset onset;
  const Growth growth(problem, group);
  if (growth.nothing_grows(restitution)) return onset;
  onset.one_way = growth.grows_one_way();
  for (const Vector& disturbance : disturbances(growth)) {
    const std::optional<Vector> d = direction(growth, disturbance);
    if (!d) continue;
    const Vector speeds = growth.speeds(*d);
    const bool is_new = std::none_of(onset.directions.begin(), onset.directions.end(), [&](const Vector& known) {
      return (known - speeds).cwiseAbs().maxCoeff() <= kOtherOnset * known.cwiseAbs().maxCoeff();
    });
    if (is_new) onset.directions.push_back(speeds);
    if (onset.one_way) break;
  }
  if (onset.directions.empty()) {  // they may still grow, round and round
    const Vector start = unstable_ones(growth);
    if (start.isZero(0)) return onset;
    onset.directions = {growth.speeds(start)};
  }
  add_others(growth, onset);
  for (const Index i : group)
    if (std::any_of(onset.directions.begin(), onset.directions.end(), [i](const Vector& d) { return d[i] > 0; }))
      onset.starting.push_back(i);
  return onset;
}

double slip_energy(const ContactProblem& problem, const std::vector<Index>& contacts) {
  double energy = 0;
  for (const Index i : contacts) {
    const ClosingContact contact = seen_alone(problem, i);
    if (contact.B_nn() > 0) energy = std::max(energy, 0.5 * contact.c_t().squaredNorm() / contact.B_nn());
  }
  return energy;
}

}  // namespace carom::one_contact

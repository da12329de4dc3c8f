#include "carom/laws/one_contact/together.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/laws/contact_springs.h"
#include "carom/laws/one_contact/groups.h"

namespace carom::one_contact {
namespace {

constexpr double kDisturbance = 0.1;    // of the tolerance: speed that starts a tangential impact
constexpr double kBalanced = 1e-6;      // at least, where others would grow as well: else rounding decides who is first
constexpr double kLarger = 10;          // times as large: how much depends on it
constexpr double kFades = 1e3;          // times the disturbance: what ends with less has not grown
constexpr double kOtherOutcome = 1e-6;  // of the speed: outcomes that differ by more are two
constexpr double kOtherStart = 1e-7;    // relative to the slip: speed of a disturbance of other contacts
constexpr double kSlowerStart = 1e-3;   // of that speed: by so much slower another outcome
constexpr double kStaysApart = 0.9;     // stays as far away; else it comes nearer as disturbances vanish
constexpr double kUnsure = 1e-3;        // of the speed: who knows u+ no better does not know whether it is the only one

/// Adds an impact that follows upon another one of the same contacts.
void add_later(const Impulses& later, Impulses& sum) {
  sum.status = later.status;
  sum.Lambda += later.Lambda;
  sum.dissipated_normal += later.dissipated_normal;
  sum.dissipated_friction += later.dissipated_friction;
  if (sum.works && later.works) {
    sum.works->compression += later.works->compression;
    sum.works->restitution += later.works->restitution;
  }
  sum.unique.tangential_impulse = sum.unique.tangential_impulse && later.unique.tangential_impulse;
  sum.accuracy = std::max(sum.accuracy, later.accuracy);
  sum.residual = std::max(sum.residual, later.residual);
  sum.events = sum.events.value_or(0) + later.events.value_or(0);
  sum.cost.evaluations += later.cost.evaluations;
  sum.cost.iterations += later.cost.iterations;
  if (sum.message.empty()) sum.message = later.message;
}

void add_later(const Path& later, const Vector& Lambda, Path& path) {
  const double start = path.states.empty() ? 0 : path.states.back().time;
  for (Path::State state : later.states) {
    state.time += start;
    state.Lambda += Lambda;
    path.add(std::move(state));
  }
}

}  // namespace

void doubt(Uniqueness& unique) {
  for (Claim* claim : {&unique.u_plus, &unique.impulse, &unique.tangential_impulse})
    if (*claim) *claim = Claim::unknown();
}

ContactProblem after(const ContactProblem& problem, const Vector& Lambda) {
  ContactProblem result = problem;
  result.gamma_free += problem.G * Lambda;
  const Vector size = problem.G.diagonal().cwiseMax(0).cwiseSqrt();  // an entry of G is summed from terms of their size
  for (Index column = 0; column < problem.G.outerSize(); ++column)
    for (SparseMatrix::InnerIterator entry(problem.G, column); entry; ++entry)
      result.gamma_terms[entry.row()] += size[entry.row()] * size[column] * std::abs(Lambda[column]);
  return result;
}

/// The speed that starts tangential impacts, relative to their slip.
double Together::disturbance() const {
  return std::max(kDisturbance * options_.tolerance, onset_.directions.size() > 1 ? kBalanced : 0);
}

Vector Together::in_all_rows(const Vector& own) const {
  Vector result = Vector::Zero(problem_.gamma_minus.size());
  ContactGroup(problem_, group_).add_rows(own, result);
  return result;
}

/// What impulses of the group change, in the kinetic metric and relative to the slip of tangential impacts.
double Together::relative_speed(const Vector& own) const {
  const Vector Lambda = in_all_rows(own);
  return std::sqrt(std::max(0.0, Lambda.dot(problem_.G * Lambda)) / (2 * slip_energy(problem_, onset_.starting)));
}

/// One impact, started along `onset` (may be empty) with a speed of `size` relative to the slip. Where a tangential one
/// does not grow, nothing happens.
Impulses Together::follow_once(const Vector& onset, double size, Path* path) const {
  const double energy = slip_energy(problem_, onset_.starting);
  const Vector speeds = size * std::sqrt(2 * energy) * onset;
  ContactGroup group(problem_, group_);
  if (speeds.size() > 0) group.disturb(speeds);
  const auto force = [](const Contact& contact) -> springs::Force { return springs::BiStiffness(contact); };
  const springs::Ends ends =
      options_.restitution == Restitution::poisson ? springs::Ends::impulse : springs::Ends::energy;
  Impulses own = spring_impulses(group.problem(), force, options_.tolerance, options_.law, path, ends, energy);
  if (speeds.size() == 0 || own.Lambda.size() == 0) return own;
  for (std::size_t i = 0; i < group_.size(); ++i)  // the work of a speed that was not there
    own.dissipated_normal[static_cast<Index>(i)] -= speeds[group_[i]] * own.Lambda[group.problem().row[i]];
  return onset_.alone && relative_speed(own.Lambda) <= kFades * size ? Impulses{} : own;
}

/// A tangential impact, and those of contacts that it has left behind: a disturbance that grows more slowly, or not at
/// all as long as others touch or slip, grows after them.
FollowedGroup Together::follow_all(const Vector& onset, double size, Path* path) const {
  FollowedGroup result{follow_once(onset, size, path)};
  Impulses& sum = result.impulses;
  for (std::size_t stage = 0; stage < group_.size(); ++stage) {
    if (onset_.directions.empty() || !onset_.alone || sum.status != Status::solved || sum.Lambda.size() == 0) break;
    const ContactProblem now = after(problem_, in_all_rows(sum.Lambda));
    const Onset next = onset_of(now, group_, options_.restitution);
    result.one_way = result.one_way && next.one_way;
    if (next.directions.empty()) break;
    Path later;
    const Impulses more =
        Together(now, group_, next, options_).follow_once(next.directions.front(), size, path ? &later : nullptr);
    if (more.Lambda.size() == 0) break;
    if (path != nullptr) add_later(later, sum.Lambda, *path);
    add_later(more, sum);
  }
  return result;
}

FollowedGroup Together::follow(Path* path) const {
  return follow_all(onset_.directions.empty() ? Vector() : onset_.directions.front(), disturbance(), path);
}

void Together::judge(const FollowedGroup& own, Impulses& impulses) const {
  bool ended = true;
  const auto distance = [&](const Vector& onset, double size) {
    const Impulses other = follow_all(onset, size, nullptr).impulses;
    ended = ended && other.status == Status::solved;
    if (other.status != Status::solved || other.Lambda.size() == 0) return 0.0;
    const Vector& Lambda = own.impulses.Lambda;
    return relative_speed(Lambda.size() > 0 ? Vector(other.Lambda - Lambda) : other.Lambda);
  };
  const double known = distance(onset_.directions.front(), kLarger * disturbance());
  if (known > impulses.accuracy) {
    impulses.accuracy = known;
    if (impulses.message.empty() && known > kLarger * options_.tolerance)
      impulses.message = fmt::format(
          "{}: how contacts that do not close start is sensitive; u+ is known to {:.1g} only", options_.law, known);
  }
  if (own.one_way && onset_.one_way && ended && own.impulses.Lambda.size() > 0 && known <= kUnsure) return;
  double farthest = 0;
  for (std::size_t k = 1; k < onset_.directions.size(); ++k)
    farthest = std::max(farthest, distance(onset_.directions[k], disturbance()));
  for (const Vector& other : onset_.others) {  // they reach their direction slowly, so u+ is known less well
    const double fast = farthest > kUnsure ? 0 : distance(other, kOtherStart);
    if (!(fast > kUnsure)) continue;
    if (const double slow = distance(other, kOtherStart * kSlowerStart); slow > kStaysApart * fast) farthest = slow;
  }
  doubt(impulses.unique);
  if (farthest > std::max(kOtherOutcome, kLarger * known)) tell_others(farthest, impulses);
}

void Together::tell_others(double farthest, Impulses& impulses) const {
  impulses.unique.u_plus = impulses.unique.impulse = impulses.unique.tangential_impulse = false;
  Vector share = Vector::Zero(problem_.size());
  share(onset_.starting).setOnes();
  impulses.remarks.push_back(fmt::format(
      "{}: contacts {} slip without closing, and friction presses them together; the first to start may leave others "
      "behind, which would change u+ by up to {:.2g} of the slip (all start alike here)",
      options_.law, named(problem_, share).names, farthest));
}

}  // namespace carom::one_contact

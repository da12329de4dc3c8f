#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "carom/base/random.h"
#include "carom/laws/one_contact/groups.h"
#include "impact_judge.h"

namespace carom::soak {
namespace {

constexpr int kStarts = 5;
constexpr double kApproach = 1e-7;  // of the fastest: how fast contacts close that do not
constexpr double kSmaller = 1e-3;   // the same again, so much slower
constexpr double kStarted = 1e-4;   // of the velocities: what changes them less has not begun
constexpr double kApart = 0.02;     // of the velocities: farther apart than what a small approach does
constexpr double kNearer = 0.5;     // of the distance: by so much nearer what tends to the answer as approaches vanish

double length_of(const MassMatrix& M, const Vector& u) {
  return std::sqrt(std::max(0.0, 2 * M.kinetic_energy(u)));
}

/// The impact with walls that approach at some of the contacts that rest.
ImpactProblem disturbed(const ImpactProblem& given, Random& random, double size) {
  const ContactProblem reduced = reduce(given);
  const double fastest = length_of(given.M, given.u_minus);
  ImpactProblem result = given;
  if (result.drift.size() == 0) result.drift = Vector::Zero(given.W.cols());
  const double share = random.uniform();
  for (Index i = 0; i < reduced.size(); ++i) {
    const Index row = reduced.row[i];
    const double reach = std::sqrt(std::max(0.0, reduced.G.coeff(row, row)));
    const double speed = std::pow(10, -2 * random.uniform()) * reach * fastest;
    const bool touched = random.uniform() < share;
    if (touched && std::abs(reduced.gamma_free[row]) <= 1e-14 * reduced.gamma_terms[row])
      result.drift[row] -= size * speed;
  }
  return result;
}

/// How far the impulses of two answers are apart, in the groups of contacts where the other one has begun.
double apart_where_started(const ContactProblem& reduced, const Vector& own, const Vector& other) {
  double result = 0;
  for (const std::vector<Index>& group : one_contact::groups_of(reduced)) {
    Vector moved = Vector::Zero(own.size()), change = moved;
    for (const Index i : group) {
      const Index rows = 1 + reduced.contacts()[i].tangents;
      moved.segment(reduced.row[i], rows) = other.segment(reduced.row[i], rows);
      change.segment(reduced.row[i], rows) = (other - own).segment(reduced.row[i], rows);
    }
    const auto length = [&](const Vector& Lambda) { return std::sqrt(std::max(0.0, Lambda.dot(reduced.G * Lambda))); };
    if (length(moved) > kStarted * length_of(reduced.impact->M, reduced.impact->u_minus))
      result = std::max(result, length(change));
  }
  return result;
}

}  // namespace

std::string other_start(const RandomImpact& impact, const ImpactOutcome& outcome) {
  const double scale = length_of(impact.problem.M, impact.problem.u_minus);
  const ContactProblem reduced = reduce(impact.problem);
  for (int k = 0; k < kStarts; ++k) {
    double apart[2] = {};
    for (int smaller = 0; smaller < 2; ++smaller) {
      Random random(impact.seed + 7919 * static_cast<std::uint64_t>(k + 1));
      const ImpactProblem started = disturbed(impact.problem, random, kApproach * (smaller ? kSmaller : 1));
      const ImpactOutcome other = solve(started, impact.law);
      if (!other.solved()) break;
      apart[smaller] = apart_where_started(reduced, outcome.Lambda, other.Lambda) / scale;
    }
    if (apart[1] > kApart && apart[1] > kNearer * apart[0])  // else it comes nearer as they vanish
      return fmt::format("unique: start {} leads to a u+ that differs by {:.2g}", k + 1, apart[1]);
  }
  return "";
}

}  // namespace carom::soak

#include "carom/laws/one_contact/onset.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "carom/laws/one_contact/closing_contact.h"
#include "carom/laws/one_contact/friction_disc.h"

namespace carom::one_contact {
namespace {

constexpr int kRounds = 3000;            // of the search for a direction
constexpr double kShare = 0.5;           // of the way to the next one: what parts strongly would go round in circles
constexpr double kSlower = 50;           // rounds, after which the share is half of it, then a third
constexpr double kSettledOnset = 1e-13;  // its distance from the next one at which it ends
constexpr double kClosely = 1e-8;        // the same, at which it has found one
constexpr double kNoPart = 1e-9;         // of the largest entry of a direction: a smaller one dies out
constexpr double kNoGrowth = 1e-12;      // of what forces do, relative to the terms it is summed from: rounding
constexpr double kOtherOnset = 1e-6;     // directions that differ by more are two
constexpr std::size_t kMostSubsets = 5;  // contacts at rest of which every subset is tried as the first to start
constexpr std::size_t kMostFirst = 12;   // of more, so many are tried one by one
constexpr int kSweeps = 40;              // over contacts that stick

/// How forces of contacts at rest change normal velocities while slips last; lengths are scaled so that a direction of
/// kinetic norm 1 has entries of about 1.
class Growth {
 public:
  Growth(const ContactProblem& problem, const std::vector<Index>& group) : all_(problem.size()) {
    std::vector<Index> rows;
    eta_ = std::numeric_limits<double>::infinity();
    for (const Index i : group) {
      const ClosingContact contact = seen_alone(problem, i);
      if (contact.c_n() != 0 || !(contact.B_nn() > 0)) continue;
      at_rest_.push_back(contact);
      eta_ = std::min(eta_, problem.contacts()[i].eta);
      first_.push_back(static_cast<Index>(rows.size()));
      for (Index t = 0; t <= contact.tangents; ++t) rows.push_back(contact.row + t);
    }
    G_.resize(static_cast<Index>(rows.size()), static_cast<Index>(rows.size()));
    for (Index a = 0; a < G_.rows(); ++a)
      for (Index b = 0; b < G_.cols(); ++b) G_(a, b) = problem.G.coeff(rows[a], rows[b]);
    scale_.resize(size());
    stiffness_.setZero(size());
    for (Index j = 0; j < size(); ++j) {
      scale_[j] = std::sqrt(at_rest_[j].B_nn());
      const Contact& own = problem.contacts()[at_rest_[j].contact];
      if (own.eta == eta_) stiffness_[j] = own.k;
    }
  }

  Index size() const { return static_cast<Index>(at_rest_.size()); }
  const ClosingContact& at_rest(Index i) const { return at_rest_[i]; }

  /// Whether friction may make anything grow. False where nothing slips, and where all slip and x'Cx >= 0 for all
  /// forces x >= 0, because each is parted more by its own force than it is pressed by others.
  bool is_possible() const {
    const bool slips = std::any_of(at_rest_.begin(), at_rest_.end(),
                                   [](const ClosingContact& one) { return one.mu > 0 && one.c_t().norm() > 0; });
    if (!slips) return false;
    const bool holds = std::any_of(at_rest_.begin(), at_rest_.end(),
                                   [](const ClosingContact& one) { return one.mu_s > 0 && one.c_t().isZero(0); });
    if (holds) return true;
    Matrix C(size(), size());
    for (Index j = 0; j < size(); ++j)
      for (Index i = 0; i < size(); ++i) C(i, j) = pressed(i, j) / (scale_[i] * scale_[j]);
    for (Index i = 0; i < size(); ++i) {
      double most = 0;
      for (Index j = 0; j < size(); ++j)
        if (j != i) most += std::max(0.0, -0.5 * (C(i, j) + C(j, i)));
      if (C(i, i) <= most) return true;
    }
    return false;
  }

  /// The direction that this disturbance of contacts grows along; nothing if it does not. `settled` becomes false where
  /// it grows and finds none.
  std::optional<Vector> direction(Vector d, bool& settled) const {
    double change = 1;
    for (int round = 0; round < kRounds && change > kSettledOnset; ++round) {
      Vector next = accelerations(stiffness_.array() * (scale_.array() * d.array()).pow(eta_));
      const double largest = next.maxCoeff();
      if (!(largest > 0)) return std::nullopt;
      const double share = kShare / (1 + round / kSlower);
      next /= largest;
      change = (next - d).cwiseAbs().maxCoeff();
      d += share * (next - d);
      d /= d.maxCoeff();
      d = (d.array() < kNoPart).select(0, d);
    }
    settled = settled && change <= kClosely;
    return d;
  }

  Vector speeds(const Vector& d) const {
    Vector result = Vector::Zero(all_);
    for (Index i = 0; i < size(); ++i) result[at_rest_[i].contact] = scale_[i] * d[i];
    return result;
  }

 private:
  /// C_ij of contacts that slip; of those that do not, without friction.
  double pressed(Index i, Index j) const {
    const ClosingContact& contact = at_rest_[j];
    const double slip = contact.c_t().norm();
    double result = G_(first_[i], first_[j]);
    for (Index t = 1; t <= contact.tangents && slip > 0; ++t)
      result -= contact.mu * G_(first_[i], first_[j] + t) * contact.c[t] / slip;
    return result;
  }

  /// What presses contacts together under normal forces: their accelerations, 0 where they part.
  Vector accelerations(const Vector& forces) const {
    Vector rows = Vector::Zero(G_.rows());
    for (Index j = 0; j < size(); ++j) {
      rows[first_[j]] = forces[j];
      const double slip = at_rest_[j].c_t().norm();
      for (Index t = 1; t <= at_rest_[j].tangents && slip > 0; ++t)
        rows[first_[j] + t] = -at_rest_[j].mu * forces[j] * at_rest_[j].c[t] / slip;
    }
    hold(forces, rows);
    Vector result(size());
    for (Index i = 0; i < size(); ++i) {
      const double sum = -G_.row(first_[i]).dot(rows), terms = G_.row(first_[i]).cwiseAbs().dot(rows.cwiseAbs());
      result[i] = sum > kNoGrowth * terms ? sum / scale_[i] : 0;
    }
    return result;
  }

  /// Adds the friction of contacts without slip, one after the other until nothing changes.
  void hold(const Vector& forces, Vector& rows) const {
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      double change = 0;
      for (Index j = 0; j < size(); ++j) {
        const ClosingContact& contact = at_rest_[j];
        const Index row = first_[j] + 1, tangents = contact.tangents;
        if (tangents == 0 || !contact.c_t().isZero(0) || !(contact.mu_s * forces[j] > 0)) continue;
        const Vector old = rows.segment(row, tangents);
        rows.segment(row, tangents).setZero();
        Eigen::Vector2d q = Eigen::Vector2d::Zero();
        for (Index t = 0; t < tangents; ++t) q[t] = G_.row(row + t).dot(rows);
        FrictionDisc held = friction_on_disc(contact.B_tt(), q, contact.mu_s * forces[j]);
        if (!held.sticks) held = friction_on_disc(contact.B_tt(), q, contact.mu * forces[j]);
        rows.segment(row, tangents) = held.P.head(tangents);
        change = std::max(change, (rows.segment(row, tangents) - old).cwiseAbs().maxCoeff() / forces.maxCoeff());
      }
      if (change <= kSettledOnset) return;
    }
  }

  Index all_;
  std::vector<ClosingContact> at_rest_;
  std::vector<Index> first_;  // row of the normal in G
  Matrix G_;
  Vector scale_, stiffness_;
  double eta_ = 0;
};

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
  for (Index i = 0; i < std::min<Index>(n, static_cast<Index>(kMostFirst)); ++i)
    onset.others.push_back(growth.speeds(Vector::Unit(n, i)));
  onset.settled = onset.settled && n <= static_cast<Index>(kMostFirst);
}

/// Disturbances that are tried: equal ones of all that grow alone (or of all, if none does), then of others, in sets
/// that do not depend on numbers.
std::vector<Vector> disturbances(const Growth& growth) {
  const Index n = growth.size();
  const Vector unstable = unstable_ones(growth);
  std::vector<Vector> result = {unstable.isZero(0) ? Vector(Vector::Ones(n)) : unstable, Vector::Ones(n)};
  if (static_cast<std::size_t>(n) <= kMostSubsets) {
    for (Index set = 1; set < (Index{1} << n) - 1; ++set) {
      Vector one(n);
      for (Index i = 0; i < n; ++i) one[i] = static_cast<double>(set >> i & 1);
      result.push_back(one);
    }
    return result;
  }
  for (Index i = 0; i < n && result.size() < kMostFirst + 2; ++i)
    if (unstable[i] > 0) result.push_back(Vector::Unit(n, i));
  return result;
}

}  // namespace

Onset onset_beside_closing(const ContactProblem& problem, std::vector<Index> tangential) {
  Onset onset{.starting = std::move(tangential), .alone = false};
  Vector start = Vector::Zero(problem.size());
  for (const Index i : onset.starting) start[i] = std::sqrt(seen_alone(problem, i).B_nn());
  onset.directions = {start};
  return onset;
}

Onset onset_of(const ContactProblem& problem, const std::vector<Index>& group) {
  Onset onset;
  const Growth growth(problem, group);
  if (!growth.is_possible()) return onset;
  for (const Vector& disturbance : disturbances(growth)) {
    const std::optional<Vector> d = growth.direction(disturbance, onset.settled);
    if (!d) continue;
    const Vector speeds = growth.speeds(*d);
    const bool is_new = std::none_of(onset.directions.begin(), onset.directions.end(), [&](const Vector& known) {
      return (known - speeds).cwiseAbs().maxCoeff() <= kOtherOnset * known.cwiseAbs().maxCoeff();
    });
    if (is_new) onset.directions.push_back(speeds);
  }
  if (onset.directions.empty()) {  // they may still grow, round and round
    const Vector start = unstable_ones(growth);
    if (start.isZero(0)) return onset;
    onset.directions = {growth.speeds(start)};
    onset.settled = false;
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

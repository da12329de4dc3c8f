#include "carom/laws/one_contact/onset.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/laws/one_contact/closing_contact.h"

namespace carom::one_contact {
namespace {

constexpr int kRounds = 3000;            // of the search for a direction
constexpr double kShare = 0.5;           // of the way to the next one: what parts strongly would go round in circles
constexpr double kSlower = 50;           // rounds, after which the share is half of it, then a third
constexpr double kSettledOnset = 1e-13;  // its distance from the next one at which it ends
constexpr double kClosely = 1e-8;        // the same, at which it has found one
constexpr double kNoPart = 1e-9;         // of the largest entry of a direction: a smaller one dies out
constexpr double kOtherOnset = 1e-6;     // directions that differ by more are two
constexpr std::size_t kMostFirst = 8;    // contacts that are tried as the first to start

/// How forces of contacts at rest change normal velocities while slips last; lengths are scaled so that a direction of
/// kinetic norm 1 has entries of about 1.
class Growth {
 public:
  Growth(const ContactProblem& problem, const std::vector<Index>& group) {
    for (const Index i : group)
      if (seen_alone(problem, i).c_n() == 0) at_rest_.push_back(i);
    const Index n = static_cast<Index>(at_rest_.size());
    scale_.resize(n);
    stiffness_.setZero(n);
    C_.resize(n, n);
    eta_ = std::numeric_limits<double>::infinity();
    for (const Index i : at_rest_) eta_ = std::min(eta_, problem.contacts()[i].eta);
    for (Index j = 0; j < n; ++j) {
      const ClosingContact contact = seen_alone(problem, at_rest_[j]);
      scale_[j] = std::sqrt(std::max(0.0, contact.B_nn()));
      if (const Contact& own = problem.contacts()[at_rest_[j]]; own.eta == eta_ && scale_[j] > 0) stiffness_[j] = own.k;
      const double slip = contact.c_t().norm();
      for (Index i = 0; i < n; ++i) {
        const Index row = problem.row[at_rest_[i]];
        C_(i, j) = problem.G.coeff(row, contact.row);
        for (Index t = 0; t < contact.tangents && slip > 0; ++t)
          C_(i, j) -= contact.mu * problem.G.coeff(row, contact.row + 1 + t) * contact.c[1 + t] / slip;
      }
    }
  }

  /// The direction that this disturbance of some contacts grows along; `settled` becomes false if it finds none.
  Vector direction(const std::vector<Index>& disturbed, Index all, bool& settled) const {
    Vector d = Vector::Zero(scale_.size());
    for (std::size_t i = 0; i < at_rest_.size(); ++i)
      if (std::find(disturbed.begin(), disturbed.end(), at_rest_[i]) != disturbed.end()) d[static_cast<Index>(i)] = 1;
    const Vector start = d;
    double change = 1;
    for (int round = 0; round < kRounds && change > kSettledOnset; ++round) {
      const Vector forces = stiffness_.array() * (scale_.array() * d.array()).pow(eta_);
      Vector next = Vector::Zero(d.size());
      for (Index i = 0; i < d.size(); ++i)
        if (scale_[i] > 0) next[i] = std::max(0.0, -C_.row(i).dot(forces) / scale_[i]);
      const double largest = next.size() > 0 ? next.maxCoeff() : 0;
      if (!(largest > 0)) {  // it does not grow along any
        d = start;
        change = 0;
        break;
      }
      const double share = kShare / (1 + round / kSlower);
      next /= largest;
      change = (next - d).cwiseAbs().maxCoeff();
      d += share * (next - d);
      d /= d.maxCoeff();
      d = (d.array() < kNoPart).select(0, d);
    }
    settled = settled && change <= kClosely;
    Vector result = Vector::Zero(all);
    for (std::size_t i = 0; i < at_rest_.size(); ++i)
      result[at_rest_[i]] = scale_[static_cast<Index>(i)] * d[static_cast<Index>(i)];
    return result;
  }

 private:
  std::vector<Index> at_rest_;
  Vector scale_, stiffness_;  // of contacts at rest
  Matrix C_;
  double eta_ = 0;
};

}  // namespace

Onset onset_of(const ContactProblem& problem, const std::vector<Index>& group, const std::vector<Index>& tangential,
               bool closing) {
  Onset onset{.directions = {}, .alone = !closing};
  if (closing) {
    Vector start = Vector::Zero(problem.size());
    for (const Index i : tangential) start[i] = std::sqrt(seen_alone(problem, i).B_nn());
    onset.directions = {start};
    return onset;
  }
  const Growth growth(problem, group);
  onset.directions = {growth.direction(tangential, problem.size(), onset.settled)};
  if (tangential.size() < 2) return onset;
  for (std::size_t k = 0; k < std::min(kMostFirst, tangential.size()); ++k) {
    const Vector other = growth.direction({tangential[k]}, problem.size(), onset.settled);
    const bool is_new = std::none_of(onset.directions.begin(), onset.directions.end(), [&](const Vector& known) {
      return (known - other).cwiseAbs().maxCoeff() <= kOtherOnset * known.cwiseAbs().maxCoeff();
    });
    if (is_new) onset.directions.push_back(other);
  }
  return onset;
}

double slip_energy(const ContactProblem& problem, const std::vector<Index>& tangential) {
  double energy = 0;
  for (const Index i : tangential) {
    const ClosingContact contact = seen_alone(problem, i);
    if (contact.B_nn() > 0) energy = std::max(energy, 0.5 * contact.c_t().squaredNorm() / contact.B_nn());
  }
  return energy;
}

}  // namespace carom::one_contact

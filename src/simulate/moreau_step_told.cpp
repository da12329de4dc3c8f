#include <algorithm>

#include "carom/simulate/moreau_step.h"
#include "carom/simulate/told_forces.h"

namespace carom::simulate {
namespace {

constexpr double kSameImpulse = 1e-13;  // of an island's greatest: the digits that a solve goes for

}  // namespace

/// Keeps what the contacts carry; which of them do that did not in the step before. Impulses that are the same but for
/// rounding keep their bits, so that an island that stands is asked the same in each step.
std::vector<char> MoreauStep::note(const Island& island, const ImpactOutcome& outcome) {
  std::vector<char> is_new;
  double greatest = 0;
  for (const Index row : outcome.row) greatest = std::max(greatest, outcome.Lambda[row]);
  for (std::size_t i = 0; i < island.pairs.size(); ++i) {
    const double normal = outcome.Lambda[outcome.row[i]];
    is_new.push_back(0);
    if (!(normal > 0)) continue;
    const geometry::ContactPoint& point = island.pairs[i].point;
    const Vector3* before = acting_.find(island.pairs[i]);
    is_new.back() = before == nullptr;
    jumped_ = jumped_ || is_new.back() != 0;
    Vector3 impulse = normal * point.normal;
    if (const Vector along = outcome.tangential(outcome.Lambda, i); along.size() > 0)
      impulse += tangents_of(island.pairs[i], model_.dimension()) * along;
    const bool is_same = before != nullptr && (impulse - *before).norm() <= kSameImpulse * greatest;
    notes_.acting.push_back({island.pairs[i].parts, point.feature, is_same ? *before : impulse});
  }
  return is_new;
}

/// Impulses become forces: over the length of the step.
void MoreauStep::tell(const State& middle, const Island& island, const IslandProblem& problem,
                      const ImpactOutcome& outcome, double h) {
  pressed_(problem.rows) += problem.problem.W * outcome.Lambda;
  State leaving = middle;
  leaving.u(problem.rows) = outcome.u_plus;
  for (std::size_t i = 0; i < island.pairs.size(); ++i) {
    const double normal = outcome.Lambda[outcome.row[i]];
    if (!(normal > 0)) continue;
    const ContactPair& pair = island.pairs[i];
    const Contact& contact = problem.problem.contacts[i];
    Vector along = outcome.tangential(outcome.Lambda, i);
    const Vector3 pulls =
        along.size() > 0 ? Vector3(tangents_of(pair, model_.dimension()) * along) : Vector3(Vector3::Zero());
    if (contact.has_ellipse()) along[1] *= contact.mu / *contact.mu_2;  // as long as its share of the cone
    ContactForce force = force_of(pair, normal, pulls, along.norm(), slip_velocity(model_, leaving, pair),
                                  along.size() > 0 ? contact.mu : 0, h);
    force.point = middle_of(model_, pair);
    force.unique = outcome.unique.impulse;
    notes_.closed.add(pair, {contact.mu, force.mode, {}, false});
    notes_.contacts.push_back(std::move(force));
  }
}

/// What is left of the change of velocities when the smooth forces and the contacts are taken away.
void MoreauStep::tell_joints(const State& middle, const Vector& u_plus, const FreeMotion& free, double h) {
  joint_forces_.clear();
  if (model_.description().joints.empty()) return;
  Vector impulse = model_.M() * Vector(u_plus - free.u) - pressed_;
  if (free.joint_impulse.size() > 0) impulse += free.joint_impulse;
  joint_forces_ = told_joints(model_, middle, Vector(impulse / h));
}

}  // namespace carom::simulate

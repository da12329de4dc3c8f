#include "carom/simulate/crowd/crowd_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/laws/newton.h"
#include "carom/simulate/crowd_answer.h"

namespace carom::simulate {
namespace {

constexpr double kSameSpeedInCrowds = 1e-12;  // of the terms of a contact's velocity: less is rounding
constexpr double kNoClosingInCrowds = 1e-15;  // of the fastest body so far: the same, of earlier steps
constexpr double kShareInCrowds = 1.0 / 16;   // how finely the share of restitution is sought
constexpr double kNoEnergyInCrowds = 1e-9;    // of what contacts exchange: a gain that is rounding
constexpr std::size_t kFewInCrowds = 700;     // contacts up to which all digits can be had in the end
constexpr std::size_t kNotedAhead = 6;        // contacts that are fetched before they are noted
constexpr double kOnTheConeInCrowds = 1e-7;   // of mu Lambda_N: friction nearer to its limit slips

void keep_larger_of(Certificate::Residuals& a, const Certificate::Residuals& b) {
  a.kinematic = b.kinematic;  // only that at the end counts
  a.kinetic = std::max(a.kinetic, b.kinetic);
  a.complementarity = std::max(a.complementarity, b.complementarity);
}

/// Other methods get further with few contacts; with many, what sweeps found is the answer, and is said to be off.
bool is_enough(const Swept& swept, const CrowdIsland& island) {
  return swept.solved || (std::isfinite(swept.residual) && island.pairs.size() > kFewInCrowds);
}

}  // namespace

ContactForce force_of(const ContactPair& pair, double normal, const Vector3& along, double on_cone, const Vector3& slip,
                      double mu, double h) {
  ContactForce force;
  force.parts = pair.parts;
  force.normal = pair.point.normal;
  force.force = normal / h;
  force.tangential = along / h;
  force.slip = slip;
  if (mu > 0)
    force.mode =
        std::abs(on_cone - mu * normal) > kOnTheConeInCrowds * mu * normal ? ContactMode::stick : ContactMode::slip;
  return force;
}

CrowdStep::CrowdStep(const Model& model, const ContactRules& rules, const ImpactLaw& law, std::optional<double> e,
                     const TimeStepping& scheme, Journal& journal, Crew& crew)
    : model_(model), rules_(rules), scheme_(scheme), journal_(journal), crowd_(model, rules, law, e, crew) {}

std::vector<ContactPair> CrowdStep::act(const CrowdMoment& moment, Vector& u, StepNotes& notes) {
  const std::size_t least = static_cast<std::size_t>(kCrowd / static_cast<Index>(model_.dimension())) + 1;
  if (!crowd_.is_possible() || moment.pairs.size() < least || scheme_.accuracy.value_or(1) <= 0) return moment.pairs;
  const std::vector<CrowdIsland>& islands = islands_.of(model_, moment.pairs, least);
  if (islands.empty()) return moment.pairs;
  crowd_.read_bodies(moment);
  std::vector<char> done(moment.pairs.size(), 0);
  for (const CrowdIsland& island : islands)
    if (answer(moment, island, u, notes))
      for (const std::size_t i : island.pairs) done[i] = 1;
  std::vector<ContactPair> others;
  for (std::size_t i = 0; i < done.size(); ++i)
    if (!done[i]) others.push_back(moment.pairs[i]);
  return others;
}

bool CrowdStep::answer(const CrowdMoment& moment, const CrowdIsland& island, Vector& u, StepNotes& notes) {
  if (!crowd_.read(moment, island)) return false;
  if (is_idle(moment)) return true;
  free_.clear();
  for (const int body : island.bodies) free_.push_back(crowd_.bodies.bodies[crowd_.place(body)]);
  const double accuracy = accuracy_for(scheme_, model_.dimension(), island.pairs.size());
  const bool all_act = choose();
  Swept swept = restrained(moment, island, accuracy);
  if (!is_enough(swept, island)) return false;
  double residual = swept.residual;
  CrowdMisses misses = misses_of(crowd_, accuracy, swept.residual);
  Lambda_.resize(crowd_.contacts.size());
  for (std::size_t i = 0; i < Lambda_.size(); ++i) Lambda_[i] = crowd_.swept.contacts[i].x;
  if (!all_act && closes_again(accuracy)) {
    swept = second(accuracy);
    if (!is_enough(swept, island)) return false;
    residual = std::max(residual, swept.residual);
    const CrowdMisses more = misses_of(crowd_, accuracy, swept.residual);
    keep_larger_of(misses.absolute, more.absolute);
    keep_larger_of(misses.relative, more.relative);
    misses.tolerance = std::max(misses.tolerance, more.tolerance);
    for (std::size_t i = 0; i < Lambda_.size(); ++i) Lambda_[i] += crowd_.swept.contacts[i].x;
  }
  if (residual > accuracy)
    journal_.approximate(moment.middle.t, Rung::best_found, residual, name_of_crowd(moment, island));
  write(moment, island, u);
  read_velocities(crowd_, plus_);
  StepSums sums = sums_of(model_, moment, island, crowd_, Lambda_, plus_, u);
  // impulses act on velocities that are known to the residual
  const double uncertain = residual * largest_speed_of(crowd_, accuracy);
  for (const Vector3& Lambda : Lambda_) sums.allowed += uncertain * Lambda.cwiseAbs().sum();
  Certificate& certificate = sums.certificate;
  const auto add = [](Certificate::Residuals& to, const Certificate::Residuals& from) {
    to.kinematic = from.kinematic;
    to.kinetic = from.kinetic;
    to.complementarity = from.complementarity;
  };
  add(certificate.absolute, misses.absolute);
  add(certificate.relative, misses.relative);
  certificate.tolerance = misses.tolerance;
  note(moment, island, u, sums, notes);
  return true;
}

std::string CrowdStep::name_of_crowd(const CrowdMoment& moment, const CrowdIsland& island) const {
  return fmt::format("{} and {} more contacts", journal_.name(moment.pairs[island.pairs.front()].parts),
                     island.pairs.size() - 1);
}

/// Whether nothing carried anything in the step before, and nothing would close within this one, beyond rounding.
bool CrowdStep::is_idle(const CrowdMoment& moment) const {
  return std::none_of(crowd_.contacts.begin(), crowd_.contacts.end(), [&](const CrowdContact& contact) {
    return contact.carried ||
           std::min(contact.minus[0], contact.free[0]) + contact.gap_rate < -kNoClosingInCrowds * moment.fastest;
  });
}

/// As MoreauStep does: which contacts take part from the start, and which of them are thrown back. True: all take part.
bool CrowdStep::choose() {
  double largest = 0;
  for (const CrowdContact& contact : crowd_.contacts) largest = std::max(largest, contact.terms);
  const double rounding = kSameSpeedInCrowds * largest;
  bool thrown = false, all = true;
  for (std::size_t i = 0; i < crowd_.contacts.size(); ++i) {
    CrowdContact& contact = crowd_.contacts[i];
    const double gamma = contact.minus[0], limit = contact.slow;
    if (contact.gap_rate > 0 || (limit > rounding && -gamma <= limit)) contact.e = 0;
    thrown = thrown || (gamma <= limit + rounding && contact.e != 0);
  }
  for (std::size_t i = 0; i < crowd_.contacts.size(); ++i) {
    CrowdContact& contact = crowd_.contacts[i];
    SweptContact& swept = crowd_.swept.contacts[i];
    if (!thrown) contact.e = 0;
    swept.acts = swept.G[0] > 0 && (!thrown || contact.minus[0] <= contact.slow + rounding);
    all = all && (swept.acts || !(swept.G[0] > 0));
  }
  e_.clear();
  for (const CrowdContact& contact : crowd_.contacts) e_.push_back(contact.e);
  return all;
}

/// What residuals are relative to.
double CrowdStep::weight(double accuracy) const {
  const double limit = speed_limit_of(crowd_, accuracy);
  double most = 0;
  for (std::size_t i = 0; i < crowd_.contacts.size(); ++i) {
    const SweptContact& swept = crowd_.swept.contacts[i];
    if (swept.acts) most = std::max(most, swept.scale * std::min(speed_of(crowd_.contacts[i]), limit));
  }
  return most;
}

void CrowdStep::put_back(const CrowdIsland& island) {
  for (std::size_t i = 0; i < island.bodies.size(); ++i)
    crowd_.bodies.bodies[crowd_.place(island.bodies[i])] = free_[i];
}

/// From what contacts carried in the step before, with a share of the restitution.
Swept CrowdStep::impact(const CrowdIsland& island, double share, double accuracy) {
  put_back(island);
  for (std::size_t i = 0; i < crowd_.contacts.size(); ++i) {
    CrowdContact& contact = crowd_.contacts[i];
    SweptContact& swept = crowd_.swept.contacts[i];
    contact.e = share * e_[i];
    swept.x.setZero();
    swept.offset = contact.drift;
    swept.offset[0] += contact.gap_rate + contact.e * contact.minus[0];
    if (!swept.acts || !contact.is_known) continue;
    Vector3 x = contact.guess;
    x[0] = std::max(0.0, x[0]);
    const double most = swept.mu * x[0], length = x.tail<2>().norm();
    if (length > most) x.tail<2>() *= most / length;
    push(swept, x, crowd_.bodies);
  }
  return sweep_to(accuracy, weight(accuracy), crowd_.swept, crowd_.bodies, crowd_.crew());
}

/// Where contacts that are thrown back give more energy than they took, with the largest share that does not.
Swept CrowdStep::restrained(const CrowdMoment& moment, const CrowdIsland& island, double accuracy) {
  Swept swept = impact(island, 1, accuracy);
  if (!swept.solved || !creates_energy(moment, island)) return swept;
  double low = 0;
  for (double high = 1; high - low > kShareInCrowds;) {
    const double share = 0.5 * (low + high);
    const bool creates = !impact(island, share, accuracy).solved || creates_energy(moment, island);
    (creates ? high : low) = share;
  }
  return impact(island, low, accuracy);
}

bool CrowdStep::creates_energy(const CrowdMoment& moment, const CrowdIsland& island) const {
  if (std::all_of(crowd_.contacts.begin(), crowd_.contacts.end(), [](const CrowdContact& one) { return one.e == 0; }))
    return false;
  double created = 0, exchanged = 0;
  for (std::size_t i = 0; i < crowd_.contacts.size(); ++i) {
    const SweptContact& swept = crowd_.swept.contacts[i];
    const Vector3 plus = contact_velocity(swept, crowd_.bodies) + crowd_.contacts[i].drift;
    created += 0.5 * (crowd_.contacts[i].minus + plus).dot(swept.x);
    exchanged += swept.x.cwiseAbs().dot(crowd_.contacts[i].minus.cwiseAbs() + plus.cwiseAbs());
  }
  double squared = 0, given = 0;  // p'M^-1 p, p'(u_free - u+)
  for (std::size_t i = 0; i < island.bodies.size(); ++i) {
    const int body = island.bodies[i];
    const SweptBody &free = free_[i], &now = crowd_.bodies.bodies[crowd_.place(body)];
    const Twist& before = moment.frames.twist(body);
    const Vector3 added = free.velocity - before.velocity, turned = free.angular - before.angular;
    Vector3 moment_of = turned;
    if (model_.dimension() == Dimension::space) {
      const Quaternion& turn = moment.frames.pose(body).orientation;
      moment_of = turn * Vector3(model_.bodies()[body].inertia * (turn.conjugate() * turned));
    } else {
      moment_of = model_.bodies()[body].inertia(2, 2) * turned;
    }
    const double mass = model_.bodies()[body].mass;
    squared += mass * added.squaredNorm() + moment_of.dot(turned);
    given += mass * added.dot(free.velocity - now.velocity) + moment_of.dot(free.angular - now.angular);
  }
  return created - 0.5 * std::max(squared, given) > kNoEnergyInCrowds * exchanged;
}

bool CrowdStep::closes_again(double accuracy) const {
  double fastest = 0, least = 0;
  for (std::size_t i = 0; i < crowd_.contacts.size(); ++i) {
    const CrowdContact& contact = crowd_.contacts[i];
    const Vector3 now = contact_velocity(crowd_.swept.contacts[i], crowd_.bodies) + contact.drift;
    fastest = std::max({fastest, now.cwiseAbs().maxCoeff(), contact.minus.cwiseAbs().maxCoeff()});
    least = std::min(least, now[0] + contact.gap_rate);
  }
  return least < -accuracy * fastest;
}

/// A plastic impact of all, from the velocities that the first has left.
Swept CrowdStep::second(double accuracy) {
  for (std::size_t i = 0; i < crowd_.contacts.size(); ++i) {
    CrowdContact& contact = crowd_.contacts[i];
    SweptContact& swept = crowd_.swept.contacts[i];
    contact.e = 0;
    swept.x.setZero();
    swept.offset = contact.drift;
    swept.offset[0] += contact.gap_rate;
    swept.acts = swept.G[0] > 0;
  }
  return sweep_to(accuracy, weight(accuracy), crowd_.swept, crowd_.bodies, crowd_.crew());
}

void CrowdStep::write(const CrowdMoment& moment, const CrowdIsland& island, Vector& u) const {
  const Index axes = static_cast<Index>(model_.dimension());
  for (const int body : island.bodies) {
    const SweptBody& one = crowd_.bodies.bodies[crowd_.place(body)];
    const Index row = model_.first_velocity(body);
    for (Index k = 0; k < axes; ++k) u[row + k] = one.velocity[k];
    if (axes == 2) u[row + 2] = one.angular.z();
    if (axes == 3) u.segment<3>(row + 3) = moment.frames.pose(body).orientation.conjugate() * one.angular;
  }
}

/// Keeps what the contacts carried and tells it, but for impulses that the accuracy does not tell from none.
void CrowdStep::note(const CrowdMoment& moment, const CrowdIsland& island, const Vector& u, const StepSums& sums,
                     StepNotes& notes) {
  StepSums judged = sums;
  began_.clear();
  const double accuracy = accuracy_for(scheme_, model_.dimension(), island.pairs.size());
  const double faint = accuracy * weight(accuracy);
  for (std::size_t k = 0; k < crowd_.of_pair.size(); ++k) {
    const std::size_t i = crowd_.of_pair[k];
    if (k + kNotedAhead < crowd_.of_pair.size()) {
      journal_.expect(moment.pairs[island.pairs[k + kNotedAhead]].parts);
      __builtin_prefetch(&crowd_.swept.contacts[crowd_.of_pair[k + kNotedAhead]]);
      __builtin_prefetch(&crowd_.contacts[crowd_.of_pair[k + kNotedAhead]]);
    }
    const SweptContact& swept = crowd_.swept.contacts[i];
    const CrowdContact& contact = crowd_.contacts[i];
    const ContactPair& pair = moment.pairs[contact.pair];
    if (!(Lambda_[i][0] > 0)) continue;
    const ContactLoss lost = loss_of(contact, plus_[i], Lambda_[i]);
    const bool acts = Lambda_[i][0] > faint, is_new = acts && !contact.is_known;
    journal_.lost(pair.parts, is_new, lost.normal + lost.friction);
    if (is_new) began_.push_back(k);
    const Vector3 normal = Lambda_[i][0] * swept.axes.col(0), along = swept.axes * Lambda_[i] - normal;
    notes.acting.push_back({pair.parts, pair.point.feature, normal + along});
    if (!acts || !journal_.wants_forces()) continue;
    const Vector3 slip = swept.axes * Vector3(0, plus_[i][1], plus_[i][2]);
    notes.contacts.push_back(force_of(pair, Lambda_[i][0], along, along.norm(), slip, swept.mu, moment.h));
    notes.contacts.back().point = middle_of(model_, pair);
    notes.contacts.back().unique = Claim::unknown();
    notes.closed.add(pair, {swept.mu, notes.contacts.back().mode, {}, false});
  }
  if (journal_.step(moment.middle.t, judged, !began_.empty()) && journal_.wants_impacts())
    tell(moment, island, u, judged);
}

/// Forms the problem and the outcome for those who want to see them.
void CrowdStep::tell(const CrowdMoment& moment, const CrowdIsland& island, const Vector& u, const StepSums& sums) {
  Island of{{}, island.bodies};
  for (const std::size_t i : island.pairs) of.pairs.push_back(moment.pairs[i]);
  IslandProblem made = journal_.wants_problems() ? step_problem(model_, rules_, moment.middle, of, moment.u_free, {})
                                                 : named_problem(model_, rules_, moment.middle, of);
  ImpactOutcome outcome;
  outcome.law = Newton::name;
  outcome.status = Status::solved;
  outcome.message.clear();
  outcome.u_plus = u(made.rows);
  outcome.unique = {Claim::unknown(), Claim::unknown(), Claim::unknown()};
  outcome.certificate = sums.certificate;
  Energy& energy = outcome.energy;
  energy.before = sums.before;
  energy.after = sums.after;
  energy.wall_work = sums.wall_work;
  energy.smooth_work = sums.smooth_work;
  const Index m = static_cast<Index>(island.pairs.size());
  Index rows = m;
  for (const Contact& contact : made.problem.contacts) rows += contact.tangents;
  energy.dissipated_normal.resize(m);
  energy.dissipated_friction.resize(m);
  outcome.gamma_minus.resize(rows);
  outcome.gamma_plus.resize(rows);
  outcome.Lambda.resize(rows);
  Index row = 0;
  for (Index k = 0; k < m; ++k) {
    const std::size_t i = crowd_.of_pair[k];
    Contact& contact = made.problem.contacts[k];
    contact.e = e_[i];
    contact.gap_rate = crowd_.contacts[i].gap_rate;
    outcome.row.push_back(row);
    for (int t = 0; t <= contact.tangents; ++t, ++row) {
      outcome.gamma_minus[row] = crowd_.contacts[i].minus[t];
      outcome.gamma_plus[row] = plus_[i][t];
      outcome.Lambda[row] = Lambda_[i][t];
    }
    const ContactLoss lost = loss_of(crowd_.contacts[i], plus_[i], Lambda_[i]);
    energy.dissipated_normal[k] = lost.normal;
    energy.dissipated_friction[k] = lost.friction;
  }
  journal_.tell({moment.middle.t, &moment.middle, &made.problem, &outcome, std::move(of.pairs), std::move(of.bodies),
                 began_, made.problem.u_minus, outcome.u_plus, false});
}

}  // namespace carom::simulate

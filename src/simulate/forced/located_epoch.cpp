#include "carom/simulate/forced/located_epoch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/simulate/forced/contact_times.h"

namespace carom::simulate {
namespace {

constexpr double kLocatedShare = 0.01;    // the error allowed in a step, in parts of the tolerance
constexpr double kLocatedNoise = 1e-3;    // speeds below this part of the tolerance are none
constexpr double kSlowestClosure = 1e-3;  // of the fastest approach: damping refers to no slower one
constexpr double kRoundingOfPlaces = 16 * std::numeric_limits<double>::epsilon();

std::vector<Contact> given_contacts(const ContactRules& rules, const State& state,
                                    const std::vector<LocatedContact>& contacts) {
  std::vector<Contact> result;
  result.reserve(contacts.size());
  for (const LocatedContact& one : contacts) result.push_back(rules.contact(state, one.pair));
  return result;
}

std::vector<MovingContact> moving(const ContactRules& rules, const std::vector<LocatedContact>& contacts) {
  std::vector<MovingContact> result;
  result.reserve(contacts.size());
  for (const LocatedContact& one : contacts) {
    const PairProperties known = rules.properties(one.pair.parts.body_a, one.pair.parts.body_b);
    result.push_back(
        {one.pair, one.tangents, std::max(known.mu, known.mu_s.value_or(0)) > 0, known.mu_r > 0 || known.mu_t > 0});
  }
  return result;
}

/// What resists turning: about the axis in the plane, in space about two along the contact and its normal.
std::vector<forces::Turning> turnings(const Model& model, const ContactRules& rules, const State& state,
                                      const std::vector<LocatedContact>& contacts, const MovingContacts& kinematics) {
  std::vector<forces::Turning> result;
  for (Index i = 0; i < kinematics.contacts(); ++i) {
    const int axes = kinematics.axes(i);
    if (axes == 0) continue;
    const ContactPair& pair = contacts[i].pair;
    const PairProperties known = rules.properties(pair.parts.body_a, pair.parts.body_b);
    const double R = rolling_radius(model, pair.parts);
    forces::Turning one;
    one.contact = i;
    one.row = kinematics.row(i) + 1 + kinematics.tangents(i);
    one.axes = std::min(axes, 2);
    one.inertia = contact_masses(model, state, pair).normal * R * R;
    one.resistance = {known.mu_r, R, 0};
    if (known.mu_r > 0) result.push_back(one);
    if (axes < 3 || !(known.mu_t > 0)) continue;
    one.row += 2;
    one.axes = 1;
    one.resistance = {known.mu_t, R, 0};
    result.push_back(one);
  }
  return result;
}

bool is_rolling(const forces::Turning& one, const MovingContacts& kinematics) {
  return one.row == kinematics.row(one.contact) + 1 + kinematics.tangents(one.contact);
}

TurningMemory& memory_of(LocatedContact& contact, bool rolling) {
  return rolling ? contact.rolling : contact.torsion;
}
const TurningMemory& memory_of(const LocatedContact& contact, bool rolling) {
  return rolling ? contact.rolling : contact.torsion;
}

forces::Scales scales_of(const Model& model, const State& state, const std::vector<LocatedContact>& contacts,
                         const LocatedScales& of, const forces::Motion& motion) {
  Vector mass(static_cast<Index>(contacts.size()));
  for (Index i = 0; i < mass.size(); ++i) mass[i] = contact_masses(model, state, contacts[i].pair).normal;
  forces::Scales scales;
  scales.speed = of.speed;
  scales.slowest = kSlowestClosure * of.speed;
  scales.noise = kLocatedNoise * of.tolerance * of.speed;
  scales.rounding = kRoundingOfPlaces * (state.q.size() > 0 ? state.q.cwiseAbs().maxCoeff() : 0);
  scales.set_contacts(motion, mass);
  return scales;
}

Vector start_of(const State& state, const std::vector<LocatedContact>& contacts, const MovingContacts& kinematics,
                const forces::Motion& motion) {
  Vector y = Vector::Zero(motion.size());
  y.head(kinematics.size()) = kinematics.packed(state, 0, 0);
  for (Index i = 0; i < kinematics.contacts() && motion.has_springs(); ++i)
    for (int k = 0; k < kinematics.tangents(i); ++k)
      y[motion.spring(i) + k] = contacts[i].tangents.col(k).dot(contacts[i].spring);
  return y;
}

}  // namespace

LocatedEpoch::LocatedEpoch(const Model& model, const ContactRules& rules, const Compliant& law, const State& state,
                           const std::vector<LocatedContact>& contacts, const LocatedScales& of)
    : kinematics(model, moving(rules, contacts), state.t, of.depth),
      motion(kinematics, law.normal_forces(given_contacts(rules, state, contacts)),
             law.friction_forces(given_contacts(rules, state, contacts)),
             turnings(model, rules, state, contacts, kinematics)),
      scales(scales_of(model, state, contacts, of, motion)),
      follower(motion, scales, kLocatedShare * of.tolerance, start_of(state, contacts, kinematics, motion)),
      model_(model),
      start_(state.t) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    motion.state[i] = contacts[i].state;
    motion.state[i].counted = 0;
  }
  set_turning(contacts);
  if (of.first_step > 0) follower.propose(of.first_step);
  motion.hold(0, follower.y.data());
  follower.start();
}

void LocatedEpoch::set_turning(const std::vector<LocatedContact>& contacts) {
  if (motion.turning.empty()) return;
  kinematics.pairs(0, follower.y.data());
  for (Index j = 0; j < motion.turnings(); ++j) {
    forces::Turning& one = motion.turning[j];
    const bool rolling = is_rolling(one, kinematics);
    const TurningMemory& memory = memory_of(contacts[one.contact], rolling);
    one.gives = memory.gives;
    one.heading = memory.heading;
    one.paid_from = -memory.paid;
    const Matrix3 axes = kinematics.axes_now(one.contact);
    for (int k = 0; k < one.axes; ++k)
      follower.y[motion.turning_spring(j) + k] = axes.col(rolling ? k : 2).dot(memory.spring);
  }
}

State LocatedEpoch::state() const {
  State result = kinematics.state(follower.t, follower.y.data());
  model_.normalize(result.q);
  return result;
}

double LocatedEpoch::fastest() const {
  const Index axes = static_cast<Index>(model_.dimension());
  double most = 0;
  for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body)
    if (const Index u = model_.first_velocity(body); u >= 0)
      most = std::max(most, follower.y.segment(model_.positions() + u, axes).norm());
  return most;
}

LocatedEpoch::Work LocatedEpoch::work() const {
  const double* y = follower.y.data();
  Work result{0, 0, kinematics.work(y), kinematics.damped(y)};
  for (Index i = 0; i < motion.contacts(); ++i) {
    result.pressed += y[motion.work(i)];
    result.rubbed += y[motion.rubbed(i)];
  }
  return result;
}

forces::Moment LocatedEpoch::moment() const {
  forces::Moment now;
  motion.evaluate(follower.t, follower.y.data(), now);
  return now;
}

LocatedEpoch::Stored LocatedEpoch::stored(const forces::Moment& now) const {
  Stored result;
  for (Index i = 0; i < motion.contacts(); ++i) {
    const Stored one = stored_without_turning(i, now);
    result.pressed += one.pressed;
    result.along += one.along;
  }
  for (Index j = 0; j < motion.turnings(); ++j) result.along += motion.turning_stored(j, follower.y.data(), now);
  return result;
}

LocatedEpoch::Stored LocatedEpoch::stored(Index i, const forces::Moment& now) const {
  Stored result = stored_without_turning(i, now);
  for (Index j = 0; j < motion.turnings(); ++j)
    if (motion.turning[j].contact == i) result.along += motion.turning_stored(j, follower.y.data(), now);
  return result;
}

LocatedEpoch::Stored LocatedEpoch::stored_without_turning(Index i, const forces::Moment& now) const {
  Stored result;
  const forces::ContactState& state = motion.state[i];
  if (state.phase == forces::Phase::open) return result;
  result.pressed = motion.with_normal(i, [&](const auto& f) { return f.stored(now.d[i], state.memory); });
  if (motion.kind() != forces::FrictionKind::elastic || kinematics.tangents(i) == 0) return result;
  if (const double k_t = motion.tangential_stiffness(i, now); k_t > 0)
    result.along = 0.5 * motion.tangential(i, now.force).squaredNorm() / k_t;
  return result;
}

void LocatedEpoch::keep(std::vector<LocatedContact>& contacts) const {
  const Vector& y = follower.y;
  const std::vector<ContactPair>& pairs = kinematics.pairs(follower.t, y.data());
  for (std::size_t at = 0; at < contacts.size(); ++at) {
    const Index i = static_cast<Index>(at);
    LocatedContact& one = contacts[at];
    one.state = motion.state[at];
    one.pair = pairs[at];
    one.work_before += worked(i);
    one.impulse_before += impulse(i);
    one.spring.setZero();
    one.rolling = one.torsion = {};
    if (kinematics.tangents(i) == 0 && kinematics.axes(i) == 0) continue;
    one.tangents = kinematics.tangents_now(i);
    for (int k = 0; k < kinematics.tangents(i) && motion.has_springs(); ++k)
      one.spring += y[motion.spring(i) + k] * one.tangents.col(k);
  }
  for (Index j = 0; j < motion.turnings(); ++j) {
    const forces::Turning& one = motion.turning[j];
    const bool rolling = is_rolling(one, kinematics);
    TurningMemory& memory = memory_of(contacts[one.contact], rolling);
    memory = {one.gives, one.heading, motion.paid(j, y.data()), Vector3::Zero()};
    const Matrix3 axes = kinematics.axes_now(one.contact);
    for (int k = 0; k < one.axes; ++k) memory.spring += y[motion.turning_spring(j) + k] * axes.col(rolling ? k : 2);
  }
}

}  // namespace carom::simulate

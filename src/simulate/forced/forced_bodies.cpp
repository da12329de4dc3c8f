#include "carom/simulate/forced/forced_bodies.h"

#include <algorithm>
#include <utility>

#include "carom/model/impact_problem.h"
#include "carom/simulate/archived_values.h"
#include "carom/simulate/forced/contact_times.h"
#include "carom/simulate/smooth_motion.h"

namespace carom::simulate {

ForcedBodies::ForcedBodies(const Model& model, const ContactRules& rules, const Compliant& law, const State& start,
                           double least_speed)
    : model_(model),
      rules_(rules),
      law_(law),
      search_(model, rules),
      least_speed_(least_speed),
      state_(start),
      applied_(Vector::Zero(model.velocities())),
      gained_(Vector::Zero(model.velocities())) {}

/// The mass that the contact moves, joints included, along its normal and its tangents.
StepContact ForcedBodies::made(const ContactPair& pair) const {
  Contact contact = rules_.contact(state_, pair);
  const ContactMasses masses = contact_masses(model_, state_, pair);
  StepContact result = step_contact(contact, law_, masses.normal, masses.tangential);
  std::tie(result.a, result.part_a, result.b, result.part_b) =
      std::tie(pair.parts.body_a, pair.parts.part_a, pair.parts.body_b, pair.parts.part_b);
  const PairProperties known = rules_.properties(result.a, result.b);
  const double R = rolling_radius(model_, pair.parts);
  result.rolling = {known.mu_r, R, 0};
  result.torsion = {known.mu_t, R, 0};
  return result;
}

void ForcedBodies::find_contacts() {
  std::vector<ContactPair> now = search_.touching(state_, 0);
  std::vector<StepContact> contacts;
  contacts.reserve(now.size());
  std::vector<char> kept(pairs_.size(), 0);
  for (const ContactPair& pair : now) {
    const double near = 1e-3 * search_.smaller_size(pair.parts);
    std::size_t old = 0;
    while (old < pairs_.size() && (kept[old] || !pairs_[old].same_as(pair))) ++old;
    if (old == pairs_.size())
      for (old = 0; old < pairs_.size() && (kept[old] || !pairs_[old].coincides_with(pair, near));) ++old;
    if (old < pairs_.size()) {
      kept[old] = 1;
      contacts.push_back(std::move(contacts_[old]));
    } else {
      contacts.push_back(made(pair));
      ++closures;
      if (on_begin) on_begin(contacts.back(), state_.t);
    }
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    if (!kept[i] && contacts_[i].closed && on_end) on_end(contacts_[i], state_.t);
  pairs_ = std::move(now);
  contacts_ = std::move(contacts);
}

ContactMotion ForcedBodies::motion(const ContactPair& pair, const State& ahead) const {
  ContactMotion result;
  result.n = pair.point.normal;
  result.d = -pair.point.gap;
  const Vector3 relative = relative_velocity(model_, state_, pair);
  result.rate = -normal_velocity(model_, ahead, pair);
  result.slip_now = slip_velocity(model_, ahead, pair);
  result.slip = relative - result.n.dot(relative) * result.n;
  const auto spin = [&](const State& at) -> Vector3 {
    return model_.twist(pair.parts.body_b, at).angular - model_.twist(pair.parts.body_a, at).angular;
  };
  result.spin = spin(state_);
  result.spin_now = spin(ahead);
  return result;
}

void ForcedBodies::push(const ContactPair& pair, const StepContact& contact, double h) {
  const Vector3 f = contact.force * contact.n + contact.T;
  const auto add = [&](Index row, double value) { applied_[row] += value; };
  for (const double side : {-1.0, 1.0}) {
    const int body = side < 0 ? pair.parts.body_a : pair.parts.body_b;
    const Pose pose = model_.pose(body, state_);
    const Vector3 arm = (side < 0 ? pair.point.point_a : pair.point.point_b) - pose.position;
    model_.direction(body, pose, arm, side * f, add);
    model_.torque_direction(body, pose, side * contact.moment, add);
    if (model_.bodies()[body].is_free()) continue;
    const Twist twist = model_.twist(body, state_);
    work.walls -= h * side * (f.dot(twist.at(arm)) + contact.moment.dot(twist.angular));
  }
}

void ForcedBodies::press_all(double h) {
  before = work;
  find_contacts();
  applied_.setZero();
  State ahead = state_;
  ahead.u += 0.5 * h * gained_;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    StepContact& contact = contacts_[i];
    const bool was = contact.closed;
    const ContactMode moved = contact.mode;
    if (!press(contact, motion(pairs_[i], ahead), state_.t, h, least_speed_, work)) {
      if (was && on_end) on_end(contact, state_.t);
      continue;
    }
    contact.point = middle_of(model_, pairs_[i]);
    watch(contact, state_.t, h);
    compare_modes(moved, contact, state_.t);
    push(pairs_[i], contact, h);
  }
  const Reactions reactions = react(model_, state_, {}, applied_);
  gained_ = reactions.acceleration;
  work.loads += h * reactions.work_rate;
  work.dampers += h * reactions.damping_rate;
}

void ForcedBodies::step(double h) {
  if (!std::exchange(started_, true)) {
    press_all(h);
    work = done();
  }
  state_.u += 0.5 * h * gained_;
  model_.displace(state_.q, h * state_.u);
  model_.normalize(state_.q);
  state_.t += h;
  press_all(h);
  state_.u += 0.5 * h * gained_;
  if (model_.description().joints.empty()) return;
  state_ = project(model_, state_, {}).state;
}

void ForcedBodies::archived(Archive& archive) {
  SteppedBodies::archived(archive);
  archive& state_& pairs_& contacts_& applied_& gained_& started_;
  if (!archive.reads()) return;
  for (StepContact& contact : contacts_) contact.ask(rules_.properties(contact.a, contact.b).e_of.get());
}

void ForcedBodies::for_contacts(const std::function<void(const StepContact&)>& use) const {
  for (const StepContact& contact : contacts_)
    if (contact.closed) use(contact);
}

}  // namespace carom::simulate

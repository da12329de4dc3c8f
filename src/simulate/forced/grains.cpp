#include "carom/simulate/forced/grains.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/simulate/forced/contact_times.h"

namespace carom::simulate {
namespace {

constexpr double kSkin = 0.25;       // of the smallest radius: how far apart balls are still in each other's list
constexpr double kIsotropic = 1e-9;  // of its inertia: a ball is no other body

bool is_centred(const geometry::Part& part, double radius) {
  return part.pose.position.norm() <= 1e-12 * radius;
}

bool is_ball(const Body& body, Dimension dimension) {
  if (body.parts.size() != 1) return false;
  const auto* sphere = std::get_if<geometry::Sphere>(&body.parts[0].shape);
  if (sphere == nullptr || !is_centred(body.parts[0], sphere->radius)) return false;
  if (dimension != Dimension::space) return true;
  const double mean = body.inertia.trace() / 3;
  return (body.inertia - mean * Matrix3::Identity()).cwiseAbs().maxCoeff() <= kIsotropic * mean;
}

bool is_flat(const Body& body) {
  return std::all_of(body.parts.begin(), body.parts.end(), [](const geometry::Part& part) {
    return std::holds_alternative<geometry::HalfSpace>(part.shape);
  });
}

}  // namespace

bool Grains::applies(const Model& model) {
  const Description& all = model.description();
  if (!all.joints.empty() || !all.springs.empty() || !all.torsion_springs.empty() || !all.loads.empty() ||
      !all.periodic.isZero())
    return false;
  return std::all_of(all.bodies.begin(), all.bodies.end(),
                     [&](const Body& body) { return body.is_free() ? is_ball(body, all.dimension) : is_flat(body); });
}

Grains::Grains(const Model& model, const ContactRules& rules, const Compliant& law, const State& start,
               double least_speed)
    : model_(model),
      rules_(rules),
      law_(law),
      least_speed_(least_speed),
      t_(start.t),
      start_(start),
      neighbours_(&radius_, 0) {
  const Index axes = static_cast<Index>(model.dimension());
  gravity_.head(axes) = model.description().gravity.head(axes);
  double smallest = std::numeric_limits<double>::infinity();
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const Body& one = model.bodies()[body];
    if (!one.is_free()) {
      for (int part = 0; part < static_cast<int>(one.parts.size()); ++part)
        walls_.push_back({.body = body, .part = part});
      continue;
    }
    const Pose pose = model.pose(body, start);
    const Twist twist = model.twist(body, start);
    body_.push_back(body);
    radius_.push_back(geometry::reach(one.parts[0].shape));
    smallest = std::min(smallest, radius_.back());
    over_mass_.push_back(1 / one.mass);
    over_inertia_.push_back(axes == 1 ? 0 : axes == 2 ? 1 / one.inertia(2, 2) : 3 / one.inertia.trace());
    x_.push_back(pose.position);
    v_.push_back(twist.velocity);
    w_.push_back(twist.angular);
    orientation_.push_back(pose.orientation);
    angle_.push_back(0);
  }
  for (Wall& wall : walls_) wall.slot.assign(size(), -1);
  force_.assign(size(), Vector3::Zero());
  torque_.assign(size(), Vector3::Zero());
  neighbours_ = Neighbours(&radius_, kSkin * smallest);
}

void Grains::place_walls() {
  State now;
  now.t = t_;
  for (Wall& wall : walls_) {
    const geometry::Part& part = model_.bodies()[wall.body].parts[wall.part];
    const Pose pose = model_.pose(wall.body, now) * part.pose;
    wall.normal = pose.orientation * std::get<geometry::HalfSpace>(part.shape).normal;
    wall.origin = pose.position;
    wall.twist = model_.twist(wall.body, now);
    wall.centre = model_.pose(wall.body, now).position;
  }
}

void Grains::find_neighbours() {
  // Contacts are handed from the old lists to the new ones, in the order of these.
  std::vector<std::vector<std::pair<int, int>>> old(contacts_.empty() ? 0 : size());
  if (!old.empty())
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t k = neighbours_.begin(i); k < neighbours_.end(i); ++k)
        if (slot_[k] >= 0) old[i].emplace_back(neighbours_.partner(k), slot_[k]);
  neighbours_.find(x_);
  slot_.assign(neighbours_.size(), -1);
  if (old.empty()) return;
  std::vector<char> kept(contacts_.size(), 0);
  std::vector<StepContact> packed;
  packed.reserve(contacts_.size());
  const auto keep = [&](int slot) {
    kept[slot] = 1;
    packed.push_back(contacts_[slot]);
    return static_cast<int>(packed.size()) - 1;
  };
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t k = neighbours_.begin(i); k < neighbours_.end(i); ++k)
      for (const auto& [partner, slot] : old[i])
        if (partner == neighbours_.partner(k)) slot_[k] = keep(slot);
  for (Wall& wall : walls_)
    for (int& slot : wall.slot)
      if (slot >= 0) slot = keep(slot);
  for (std::size_t s = 0; s < contacts_.size(); ++s)
    if (!kept[s] && contacts_[s].closed) ended(contacts_[s]);
  contacts_ = std::move(packed);
  free_slots_.clear();
}

void Grains::ended(const StepContact& contact) {
  if (on_end) on_end(contact, t_);
}

/// A contact between two bodies whose balls have the curvature 1 / R.
int Grains::new_slot(int a, int b, int part_a, double R, double over_mass, double over_inertia) {
  const PairProperties known = rules_.properties(a, b);
  const double k = rules_.pressure_stiffness_of({a, part_a, b, 0}).value_or(ball_stiffness(known, R));
  StepContact made = step_contact(contact_of(known, k), law_, 1 / over_mass, 1 / (over_mass + over_inertia));
  made.a = a;
  made.b = b;
  made.part_a = part_a;
  made.rolling = {known.mu_r, R, 0};
  made.torsion = {known.mu_t, R, 0};
  ++closures;
  if (on_begin) on_begin(made, t_);
  if (free_slots_.empty()) {
    contacts_.push_back(std::move(made));
    return static_cast<int>(contacts_.size()) - 1;
  }
  const int slot = free_slots_.back();
  free_slots_.pop_back();
  contacts_[slot] = std::move(made);
  return slot;
}

/// After a contact was found open.
void Grains::open(int& slot) {
  const bool remembers = std::visit([](const auto& f) { return f.remembers; }, contacts_[slot].normal);
  if (remembers) return;  // its dent
  contacts_[slot] = {};
  free_slots_.push_back(slot);
  slot = -1;
}

void Grains::between_balls(double h) {
  for (std::size_t i = 0; i < size(); ++i) {
    const Vector3 x = x_[i];
    const double r = radius_[i];
    Vector3 push = Vector3::Zero(), turn = Vector3::Zero();
    for (std::size_t k = neighbours_.begin(i), end = neighbours_.end(i); k < end; ++k) {
      const int j = neighbours_.partner(k);
      const Vector3 across = x_[j] - x;
      const double reach = r + radius_[j], square = across.squaredNorm();
      if (square >= reach * reach && slot_[k] < 0) continue;
      const double distance = std::sqrt(square);
      ContactMotion motion;
      motion.n = distance > 0 ? Vector3(across / distance) : Vector3(Vector3::UnitX());
      motion.d = reach - distance;
      if (slot_[k] < 0) {
        if (!rules_.may_touch(body_[i], body_[j])) continue;
        slot_[k] = new_slot(body_[i], body_[j], 0, r * radius_[j] / reach, over_mass_[i] + over_mass_[j],
                            r * r * over_inertia_[i] + radius_[j] * radius_[j] * over_inertia_[j]);
      }
      StepContact& contact = contacts_[slot_[k]];
      const double arm_i = r, arm_j = radius_[j];
      const Vector3 relative = v_[j] - v_[i], more = 0.5 * h * (gained_[j] - gained_[i]);
      const double parting = motion.n.dot(relative), faster = motion.n.dot(more);
      motion.rate = -parting - faster;
      motion.slip = relative - parting * motion.n - (arm_i * w_[i] + arm_j * w_[j]).cross(motion.n);
      motion.slip_now =
          motion.slip + more - faster * motion.n - (0.5 * h) * (arm_i * spun_[i] + arm_j * spun_[j]).cross(motion.n);
      motion.spin = w_[j] - w_[i];
      motion.spin_now = motion.spin + 0.5 * h * (spun_[j] - spun_[i]);
      const bool was = contact.closed;
      const ContactMode moved = contact.mode;
      if (!press(contact, motion, t_, h, least_speed_, work)) {
        if (was) ended(contact);
        open(slot_[k]);
        continue;
      }
      contact.point = x + (r - 0.5 * motion.d) * motion.n;
      watch(contact, t_, h);
      compare_modes(moved, contact, t_);
      const Vector3 f = contact.force * motion.n + contact.T, twist = motion.n.cross(contact.T);
      push -= f;
      turn -= arm_i * twist + contact.moment;
      force_[j] += f;
      torque_[j] += contact.moment - arm_j * twist;
    }
    force_[i] += push;
    torque_[i] += turn;
  }
}

void Grains::with_walls(double h) {
  for (Wall& wall : walls_)
    for (std::size_t i = 0; i < size(); ++i) {
      ContactMotion motion;
      motion.d = radius_[i] - wall.normal.dot(x_[i] - wall.origin);
      int& slot = wall.slot[i];
      if (motion.d <= 0 && slot < 0) continue;
      if (slot < 0) {
        if (!rules_.may_touch(std::min(wall.body, body_[i]), std::max(wall.body, body_[i]))) continue;
        slot = new_slot(wall.body, body_[i], wall.part, radius_[i], over_mass_[i],
                        radius_[i] * radius_[i] * over_inertia_[i]);
      }
      StepContact& contact = contacts_[slot];
      motion.n = wall.normal;
      const double arm = radius_[i];
      const Vector3 point = x_[i] - arm * motion.n, moving = wall.twist.at(point - wall.centre);
      const Vector3 relative = v_[i] - moving, more = 0.5 * h * gained_[i];
      const double parting = motion.n.dot(relative), faster = motion.n.dot(more);
      motion.rate = -parting - faster;
      motion.slip = relative - parting * motion.n - (arm * w_[i]).cross(motion.n);
      motion.slip_now = motion.slip + more - faster * motion.n - (0.5 * h * arm) * spun_[i].cross(motion.n);
      motion.spin = w_[i] - wall.twist.angular;
      motion.spin_now = motion.spin + 0.5 * h * spun_[i];
      const bool was = contact.closed;
      const ContactMode moved = contact.mode;
      if (!press(contact, motion, t_, h, least_speed_, work)) {
        if (was) ended(contact);
        open(slot);
        continue;
      }
      contact.point = point;
      watch(contact, t_, h);
      compare_modes(moved, contact, t_);
      const Vector3 f = contact.force * motion.n + contact.T;
      force_[i] += f;
      torque_[i] += contact.moment - arm * motion.n.cross(contact.T);
      work.walls += h * (f.dot(moving) + contact.moment.dot(wall.twist.angular));
    }
}

void Grains::step(double h) {
  const std::size_t n = size();
  if (!started_) {
    place_walls();
    find_neighbours();
    gained_.assign(n, Vector3::Zero());
    spun_ = gained_;
    press_all(h);
    work = done();
    started_ = true;
  }
  const bool turns = model_.dimension() != Dimension::line, in_space = model_.dimension() == Dimension::space;
  for (std::size_t i = 0; i < n; ++i) {
    v_[i] += 0.5 * h * gained_[i];
    x_[i] += h * v_[i];
    if (!turns) continue;
    w_[i] += 0.5 * h * spun_[i];
    if (in_space) {
      const Vector3 half = 0.5 * h * w_[i];
      orientation_[i] = (Quaternion(1, half.x(), half.y(), half.z()) * orientation_[i]).normalized();
    } else {
      angle_[i] += h * w_[i].z();
    }
  }
  t_ += h;
  place_walls();
  if (!neighbours_.hold(x_)) find_neighbours();
  press_all(h);
  for (std::size_t i = 0; i < n; ++i) {
    v_[i] += 0.5 * h * gained_[i];
    if (turns) w_[i] += 0.5 * h * spun_[i];
  }
}

void Grains::press_all(double h) {
  before = work;
  std::fill(force_.begin(), force_.end(), Vector3::Zero());
  std::fill(torque_.begin(), torque_.end(), Vector3::Zero());
  between_balls(h);
  with_walls(h);
  for (std::size_t i = 0; i < size(); ++i) {
    gained_[i] = gravity_ + over_mass_[i] * force_[i];
    spun_[i] = over_inertia_[i] * torque_[i];
  }
}

State Grains::state() const {
  State result = start_;
  result.t = t_;
  const Index axes = static_cast<Index>(model_.dimension());
  for (std::size_t i = 0; i < size(); ++i) {
    const Index q = model_.first_position(body_[i]), u = model_.first_velocity(body_[i]);
    result.q.segment(q, axes) = x_[i].head(axes);
    result.u.segment(u, axes) = v_[i].head(axes);
    if (axes == 2) {
      result.q[q + 2] = start_.q[q + 2] + angle_[i];
      result.u[u + 2] = w_[i].z();
    } else if (axes == 3) {
      result.q.segment<4>(q + 3) << orientation_[i].w(), orientation_[i].x(), orientation_[i].y(), orientation_[i].z();
      result.u.segment<3>(u + 3) = orientation_[i].conjugate() * w_[i];
    }
  }
  return result;
}

void Grains::archived(Archive& archive) {
  SteppedBodies::archived(archive);
  archive& t_& start_.t& start_.q& start_.u& x_& v_& w_& force_& torque_& gained_& spun_& angle_& orientation_;
  for (Wall& wall : walls_) archive& wall.slot;
  archive& neighbours_& slot_& contacts_& free_slots_& started_;
  if (!archive.reads()) return;
  place_walls();
  for (StepContact& contact : contacts_)
    if (contact.a >= 0) contact.ask(rules_.properties(contact.a, contact.b).e_of.get());
}

void Grains::for_contacts(const std::function<void(const StepContact&)>& use) const {
  for (const StepContact& contact : contacts_)
    if (contact.closed) use(contact);
}

}  // namespace carom::simulate

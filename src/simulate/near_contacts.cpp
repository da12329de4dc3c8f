#include "carom/simulate/near_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/model/periodic.h"

namespace carom::simulate {
namespace {

constexpr double kSkinOfSteps = 2;   // of the distance asked for
constexpr double kSlowerSkin = 0.5;  // of the skin before: it does not shrink faster
constexpr double kRoundingOfPlaces = 16 * std::numeric_limits<double>::epsilon();

/// The radius of a part that is a ball, or a disc, in the middle of its body; else 0.
double middle_ball(const Model& model, int body, int part) {
  const geometry::Part& of = model.bodies()[body].parts[part];
  const geometry::Sphere* sphere = std::get_if<geometry::Sphere>(&of.shape);
  return sphere != nullptr && model.dimension() != Dimension::line && of.pose.position == Vector3::Zero()
             ? sphere->radius
             : 0;
}

bool is_same_pose(const Pose& one, const Pose& other) {
  return one.position == other.position && one.orientation.coeffs() == other.orientation.coeffs();
}

}  // namespace

NearContacts::NearContacts(const Model& model, const ContactSearch& search)
    : model_(model),
      search_(search),
      has_grain_(std::any_of(model.bodies().begin(), model.bodies().end(),
                             [](const Body& body) { return body.has_grain(); })) {}

const std::vector<ContactPair>& NearContacts::within(const State& state, const BodyFrames& frames, double margin,
                                                     double time, const std::vector<double>& speeds) {
  const double distance = 2 * time * *std::max_element(speeds.begin(), speeds.end());
  if (then_.empty() || margin != margin_ || !(distance + moved(frames) <= distance_))
    look(state, frames, margin, std::max((1 + kSkinOfSteps) * distance, kSlowerSkin * distance_));
  found_.clear();
  const Vector3& periods = model_.description().periodic;
  for (const Near& near : near_) {
    const int a = near.parts.body_a, b = near.parts.body_b;
    const Vector3 &from = frames.pose(a).position, &to = frames.pose(b).position;
    const double limit = margin * near.size + time * (speeds[a] + speeds[b]);
    const double apart = limit + near.reach;
    if (!near.parts.is_stop() && nearest_image(periods, to - from).squaredNorm() > apart * apart) continue;
    if (near.radius_a > 0 && near.radius_b > 0) {
      add_balls(near, frames, limit);
      continue;
    }
    const std::vector<ContactPair>& some = touching(state, frames, near, limit);
    found_.insert(found_.end(), some.begin(), some.end());
  }
  return found_;
}

const std::vector<ContactPair>& NearContacts::touching(const State& state, const BodyFrames& frames, const Near& near,
                                                       double limit) {
  const Pose &a = frames.pose(near.parts.body_a), &b = frames.pose(near.parts.body_b);
  const bool is_stop = near.parts.is_stop();
  Last& last = is_stop ? of_a_stop_ : last_[near.last];
  if (!is_stop && last.limit == limit && is_same_pose(last.pose_a, a) && is_same_pose(last.pose_b, b))
    return last.found;
  const double rounding = margin_ > 0 ? kRoundingOfPlaces * std::max(a.position.norm(), b.position.norm()) : 0;
  last.pose_a = a;
  last.pose_b = b;
  last.limit = limit;
  last.found.clear();
  find_contact_pairs(model_, state, near.parts, limit + rounding, last.found);
  std::erase_if(last.found, [&](const ContactPair& pair) { return !(pair.point.gap <= limit); });
  return last.found;
}

/// The one touch of two balls, as geometry has it.
void NearContacts::add_balls(const Near& near, const BodyFrames& frames, double limit) {
  const Pose &a = frames.pose(near.parts.body_a), &b = frames.pose(near.parts.body_b);
  const Vector3 d = nearest_image(model_.description().periodic, b.position - a.position);
  const double distance = d.norm(), gap = distance - near.radius_a - near.radius_b;
  if (!(gap <= limit)) return;
  const Vector3 n = distance > 0 ? Vector3(d / distance) : Vector3(Vector3::UnitX());
  ContactPair& pair = found_.emplace_back();
  pair.parts = near.parts;
  pair.point = {gap,
                a.position + near.radius_a * n,
                b.position - near.radius_b * n,
                n,
                {{geometry::Element::Kind::ball}, {geometry::Element::Kind::ball}}};
  pair.normal_a = a.orientation.conjugate() * n;
  pair.normal_b = b.orientation.conjugate() * n;
  pair.local_a = near.radius_a * pair.normal_a;
  pair.local_b = -near.radius_b * pair.normal_b;
  if (has_grain_) pair.grain = grain_of(model_, near.parts, a, b);
}

void NearContacts::look(const State& state, const BodyFrames& frames, double margin, double distance) {
  margin_ = margin;
  distance_ = distance;
  near_.clear();
  last_.clear();
  for (const PartPair& parts : search_.pairs_within(state, margin, distance)) {
    Near& near = near_.emplace_back();
    near.parts = parts;
    near.size = search_.smaller_size(parts);
    near.reach = search_.reach(parts.body_a) + search_.reach(parts.body_b);
    if (parts.is_stop()) continue;
    near.radius_a = middle_ball(model_, parts.body_a, parts.part_a);
    near.radius_b = middle_ball(model_, parts.body_b, parts.part_b);
    if (near.radius_a > 0 && near.radius_b > 0) continue;
    near.last = last_.size();
    last_.emplace_back();
  }
  then_.clear();
  for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body) then_.push_back(frames.pose(body));
}

/// [m] no point of a body has moved farther since then.
double NearContacts::moved(const BodyFrames& frames) const {
  double most = 0;
  for (std::size_t i = 0; i < then_.size(); ++i) {
    const Pose& now = frames.pose(static_cast<int>(i));
    const double reach = search_.reach(static_cast<int>(i));
    const double turn = 2 * (then_[i].orientation.conjugate() * now.orientation).vec().norm();
    const double moved = (now.position - then_[i].position).norm();
    if (std::isfinite(reach))
      most = std::max(most, moved + reach * turn);
    else if (moved > 0 || turn > 0)
      return std::numeric_limits<double>::infinity();
  }
  return most;
}

}  // namespace carom::simulate

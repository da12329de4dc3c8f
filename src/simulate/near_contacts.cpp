#include "carom/simulate/near_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/model/periodic.h"

namespace carom::simulate {
namespace {

constexpr double kSkinOfSteps = 2;       // of the distance asked for
constexpr double kSlowerSkin = 0.5;      // of the skin before: it does not shrink faster
constexpr std::size_t kNearAtOnce = 64;  // that a thread looks at
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

double NearContacts::gap_of_balls(double distance, const Near& near) {
  return distance - near.radius_a - near.radius_b;
}

NearContacts::NearContacts(const Model& model, const ContactSearch& search, Crew& crew)
    : model_(model),
      search_(search),
      crew_(crew),
      has_grain_(std::any_of(model.bodies().begin(), model.bodies().end(),
                             [](const Body& body) { return body.has_grain(); })) {}

const std::vector<ContactPair>& NearContacts::within(const State& state, const BodyFrames& frames, double margin,
                                                     double time, const std::vector<double>& speeds) {
  const double distance = 2 * time * *std::max_element(speeds.begin(), speeds.end());
  if (then_.empty() || margin != margin_ || !(distance + moved(frames) <= distance_))
    look(state, frames, margin, std::max((1 + kSkinOfSteps) * distance, kSlowerSkin * distance_));
  travel(frames);
  const auto limit_of = [&](const Near& near) {
    return margin * near.size + time * (speeds[near.parts.body_a] + speeds[near.parts.body_b]);
  };
  places_.resize(near_.size() + 1);
  crew_.for_ranges(0, near_.size(), kNearAtOnce, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) places_[i + 1] = touches(state, frames, near_[i], limit_of(near_[i]));
  });
  places_[0] = 0;
  for (std::size_t i = 0; i < near_.size(); ++i) places_[i + 1] += places_[i];
  found_.resize(places_.back());
  crew_.for_ranges(0, near_.size(), kNearAtOnce, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (places_[i] == places_[i + 1]) continue;
      if (near_[i].is_of_balls())
        found_[places_[i]] = touch_of_balls(near_[i], frames);
      else
        std::copy(last_[near_[i].last].found.begin(), last_[near_[i].last].found.end(), &found_[places_[i]]);
    }
  });
  return found_;
}

/// Between the origins of both parts.
Vector3 NearContacts::from_a_to_b(const BodyFrames& frames, const Near& near) const {
  const Pose &a = frames.pose(near.parts.body_a), &b = frames.pose(near.parts.body_b);
  Vector3 d = b.position - a.position;
  if (!near.in_the_middle) d += b.orientation * near.at_b - a.orientation * near.at_a;
  return nearest_image(model_.description().periodic, d);
}

std::size_t NearContacts::touches(const State& state, const BodyFrames& frames, Near& near, double limit) {
  const Vector3 d = from_a_to_b(frames, near);
  if (near.is_of_balls()) return gap_of_balls(d.norm(), near) <= limit ? 1 : 0;
  const double apart = limit + near.reach;
  if (!near.parts.is_stop() && d.squaredNorm() > apart * apart) return 0;
  find_touching(state, frames, near, limit);
  return last_[near.last].found.size();
}

void NearContacts::find_touching(const State& state, const BodyFrames& frames, Near& near, double limit) {
  const double travelled = travelled_[near.parts.body_a] + travelled_[near.parts.body_b];
  const Pose &a = frames.pose(near.parts.body_a), &b = frames.pose(near.parts.body_b);
  Last& last = last_[near.last];
  if (!near.parts.is_stop() && last.limit == limit && is_same_pose(last.pose_a, a) && is_same_pose(last.pose_b, b))
    return;
  const double rounding = margin_ > 0 ? kRoundingOfPlaces * std::max(a.position.norm(), b.position.norm()) : 0;
  last.pose_a = a;
  last.pose_b = b;
  last.limit = limit;
  last.found.clear();
  if (near.apart - (travelled - near.travel) > limit + rounding) return;
  near.apart = distance_at_least(model_, state, near.parts, limit + rounding);
  near.travel = travelled;
  if (near.apart > limit + rounding) return;
  find_contact_pairs(model_, state, near.parts, limit + rounding, last.found);
  std::erase_if(last.found, [&](const ContactPair& pair) { return !(pair.point.gap <= limit); });
}

/// As geometry has it.
ContactPair NearContacts::touch_of_balls(const Near& near, const BodyFrames& frames) const {
  const Pose &a = frames.pose(near.parts.body_a), &b = frames.pose(near.parts.body_b);
  const Vector3 d = nearest_image(model_.description().periodic, b.position - a.position);
  const double distance = d.norm();
  const Vector3 n = distance > 0 ? Vector3(d / distance) : Vector3(Vector3::UnitX());
  ContactPair pair;
  pair.parts = near.parts;
  pair.point = {gap_of_balls(distance, near),
                a.position + near.radius_a * n,
                b.position - near.radius_b * n,
                n,
                {{geometry::Element::Kind::ball}, {geometry::Element::Kind::ball}}};
  pair.normal_a = a.orientation.conjugate() * n;
  pair.normal_b = b.orientation.conjugate() * n;
  pair.local_a = near.radius_a * pair.normal_a;
  pair.local_b = -near.radius_b * pair.normal_b;
  if (has_grain_) pair.grain = grain_of(model_, near.parts, a, b);
  return pair;
}

void NearContacts::look(const State& state, const BodyFrames& frames, double margin, double distance) {
  margin_ = margin;
  distance_ = distance;
  near_.clear();
  last_.clear();
  for (const PartPair& parts : search_.pairs_within(state, margin, distance)) {
    Near near;
    near.parts = parts;
    near.size = search_.smaller_size(parts);
    if (!parts.is_stop()) {
      const geometry::Part &a = model_.bodies()[parts.body_a].parts[parts.part_a],
                           &b = model_.bodies()[parts.body_b].parts[parts.part_b];
      near.reach = geometry::reach(a.shape) + geometry::reach(b.shape);
      near.at_a = a.pose.position;
      near.at_b = b.pose.position;
      near.in_the_middle = near.at_a.isZero(0) && near.at_b.isZero(0);
      near.radius_a = middle_ball(model_, parts.body_a, parts.part_a);
      near.radius_b = middle_ball(model_, parts.body_b, parts.part_b);
      const double gap = margin * near.size + 2 * distance, apart = near.reach + gap;  // each body may move so far
      if (from_a_to_b(frames, near).squaredNorm() > apart * apart) continue;
      if (const std::optional<ContactSearch::FlatSide> flat = search_.flat_side(parts, state);
          flat && flat->height(frames.pose(flat->other).position) > search_.reach(flat->other) + gap)
        continue;
    }
    near_.push_back(near);
    if (near.is_of_balls()) continue;
    near_.back().last = last_.size();
    last_.emplace_back();
  }
  then_.clear();
  now_.clear();
  for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body) then_.push_back(frames.pose(body));
}

/// [m] no point of the body has moved farther between two poses.
double NearContacts::way(int body, const Pose& from, const Pose& to) const {
  const double reach = search_.reach(body), turn = 2 * (from.orientation.conjugate() * to.orientation).vec().norm();
  const double moved = (to.position - from.position).norm();
  if (std::isfinite(reach)) return moved + reach * turn;
  return moved > 0 || turn > 0 ? std::numeric_limits<double>::infinity() : 0;
}

/// [m] no point of a body has moved farther since then.
double NearContacts::moved(const BodyFrames& frames) const {
  double most = 0;
  for (std::size_t i = 0; i < then_.size(); ++i)
    most = std::max(most, way(static_cast<int>(i), then_[i], frames.pose(static_cast<int>(i))));
  return most;
}

/// How far everybody has come since the last question. What was proven to be apart is so by as much less.
void NearContacts::travel(const BodyFrames& frames) {
  if (last_.empty()) return;  // nobody asks
  if (now_.size() != then_.size()) {
    now_ = then_;
    travelled_.assign(then_.size(), 0);
  }
  for (std::size_t i = 0; i < now_.size(); ++i) {
    const Pose& now = frames.pose(static_cast<int>(i));
    if (is_same_pose(now_[i], now)) continue;
    travelled_[i] += way(static_cast<int>(i), now_[i], now);
    now_[i] = now;
  }
}

}  // namespace carom::simulate

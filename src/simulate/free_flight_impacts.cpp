// What happens where balls meet.

#include <algorithm>
#include <cmath>
#include <set>

#include "carom/geometry/contact_points.h"
#include "carom/model/periodic.h"
#include "carom/simulate/free_flight.h"

namespace carom::simulate {

geometry::ContactPoint FreeFlight::touch(int a, int b) const {
  const Ball &ball_a = balls_[a], &ball_b = balls_[b];
  const Vector3 d = nearest_image(model_.description().periodic, ball_b.x - ball_a.x);
  const double distance = d.norm();
  const Vector3 n = distance > 0 ? Vector3(d / distance) : Vector3::UnitX();
  constexpr geometry::Element round{geometry::Element::Kind::ball};
  return {distance - ball_a.radius - ball_b.radius,
          ball_a.x + ball_a.radius * n,
          ball_b.x - ball_b.radius * n,
          n,
          {round, round}};
}

geometry::ContactPoint FreeFlight::touch(int index, const Face& face) const {
  const Ball& ball = balls_[index];
  const double height = face.normal.dot(ball.x) - face.offset;
  const Vector3 near = ball.x - ball.radius * face.normal, flat = ball.x - height * face.normal;
  geometry::Feature feature = face.feature;
  if (bodies_[index] < face.body) return {height - ball.radius, near, flat, -face.normal, feature};
  std::swap(feature.a, feature.b);
  return {height - ball.radius, flat, near, face.normal, feature};
}

/// Of two that touch nothing else and were moved. False: a contact is about to stay closed.
bool FreeFlight::bounce(int ball, int other) {
  const bool with_wall = other < 0;
  const int a = !with_wall && bodies_[other] < bodies_[ball] ? other : ball, b = a == ball ? other : ball;
  const geometry::ContactPoint point = with_wall ? touch(ball, faces_[~other]) : touch(a, b);
  const double closing =
      with_wall ? -faces_[~other].normal.dot(balls_[ball].v) : point.normal.dot(balls_[a].v - balls_[b].v);
  if (!(closing > impacts_.slow())) return general_impact(ball, other);
  PartPair parts{bodies_[a], 0, with_wall ? faces_[~other].body : bodies_[b], with_wall ? faces_[~other].part : 0};
  if (parts.body_b < parts.body_a) {
    std::swap(parts.body_a, parts.body_b);
    std::swap(parts.part_a, parts.part_b);
  }
  state_.t = now_;
  write(ball);
  if (!with_wall) write(other);
  pair_.set(state_, parts, point);
  impacts_.bounce(state_, pair_.island(), pair_.problem(), closing);
  remember(ball, other);
  for (const int one : {ball, other}) {
    if (one < 0) continue;
    read_velocity(one);
    ++plan_[one].version;
  }
  const auto go_on = [&](int one, int met, std::vector<Seen>& around) {
    for (Seen& seen : around)
      if (seen.ball == met) seen.v = balls_[met].v;
    predict(one, around);
    predict_exit(one);
    schedule(one);
  };
  go_on(ball, other, around_a_);
  if (!with_wall) go_on(other, ball, around_b_);
  return true;
}

/// Every contact that is closed now and connected with the two that meet. Rounding of their positions may leave these a
/// little farther apart.
std::vector<ContactPair> FreeFlight::pairs_around(int ball, int met) {
  std::vector<ContactPair> pairs, found;
  std::set<std::pair<int, int>> seen;
  std::vector<int> open = {ball};
  if (met >= 0) open.push_back(met);
  const auto look_at = [&](int one, int other) {
    if (!seen.insert({std::min(one, other), std::max(one, other)}).second) return;
    const bool is_ball = other >= 0;
    const int body = bodies_[one], other_body = is_ball ? bodies_[other] : faces_[~other].body;
    const int part = is_ball ? 0 : faces_[~other].part;
    if (is_ball) {
      move(other);
      write(other);
    }
    found.clear();
    const PartPair parts =
        body < other_body ? PartPair{body, 0, other_body, part} : PartPair{other_body, part, body, 0};
    find_contact_pairs(model_, state_, parts, -kNever, found);
    const double radius = balls_[one].radius;
    const bool meets = (one == ball && other == met) || (one == met && other == ball);
    const double closed = kTouchingRound * (is_ball ? std::min(radius, balls_[other].radius) : radius);
    if (!meets && found.front().point.gap > closed) return;
    pairs.push_back(found.front());
    if (is_ball) open.push_back(other);
  };
  std::set<int> done;
  while (!open.empty()) {
    const int one = open.back();
    open.pop_back();
    if (!done.insert(one).second) continue;
    move(one);
    write(one);
    std::vector<Seen> around;
    look_around(one, around);
    for (const Seen& other : around) look_at(one, other.ball);
    for (int face = 0; face < static_cast<int>(faces_.size()); ++face)
      if (may_touch(one, faces_[face])) look_at(one, ~face);
  }
  std::sort(pairs.begin(), pairs.end(), [](const ContactPair& x, const ContactPair& y) { return x.parts < y.parts; });
  return pairs;
}

/// Of all that touch, by the general way.
bool FreeFlight::general_impact(int ball, int other) {
  state_.t = now_;
  const std::vector<ContactPair> pairs = pairs_around(ball, other);
  for (const Island& island : islands(model_, pairs)) {
    // Without gravity nothing presses a slow contact together: it ends its approach and flies on.
    if (!impacts_.would_bounce(state_, island) && gravity_.squaredNorm() > 0) return false;
    if (island.bodies.size() <= 2)
      tell_sequence(ball_of_[island.bodies.front()], island.bodies.size() == 1 ? -1 : ball_of_[island.bodies.back()]);
    state_ = impacts_.after(std::move(state_), island);
    for (const int body : island.bodies) {
      read_velocity(ball_of_[body]);
      ++plan_[ball_of_[body]].version;
    }
    for (const int body : island.bodies) predict(ball_of_[body]);
  }
  return true;
}

// ---- What follows each other

/// Walls are all -1.
void FreeFlight::remember(int ball, int other) {
  const auto add = [&](int one, int with) {
    past_[one].last[plan_[one].bounces++ % Accumulations::kRemembered] = {now_, with};
  };
  add(ball, std::max(other, -1));
  if (other >= 0) add(other, ball);
}

void FreeFlight::tell_sequence(int ball, int other) {
  std::vector<double> times;
  const auto collect = [&](int one, int with) {
    for (std::size_t i = 0; i < remembered(one); ++i)
      if (past_[one].last[i].other == with) times.push_back(past_[one].last[i].t);
  };
  collect(ball, other);
  if (other >= 0) collect(other, ball);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (times.empty()) return;
  std::vector<int> bodies = {bodies_[ball]};
  if (other >= 0) bodies.push_back(bodies_[other]);
  std::sort(bodies.begin(), bodies.end());
  impacts_.recall(bodies, times);
}

void FreeFlight::tell_sequences() {
  for (int ball = 0; ball < static_cast<int>(balls_.size()); ++ball) {
    std::set<int> others;
    for (std::size_t i = 0; i < remembered(ball); ++i) others.insert(past_[ball].last[i].other);
    for (const int other : others)
      if (other < ball) tell_sequence(ball, other);
  }
}

}  // namespace carom::simulate

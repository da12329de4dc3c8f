#include "carom/simulate/free_flight.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace carom::simulate {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kTouchingRound = 1e-9;        // of the smaller radius
constexpr double kRoundingOfApproach = 1e-14;  // of the fastest ball: rounding
constexpr double kLeftOfApproach = 1e-10;      // the same, where two touch: what an impact left of their approach
constexpr std::size_t kFewBalls = 24;          // need no cells
constexpr double kSmallestCell = 2.2;          // of the largest radius: two balls that touch are in neighbouring cells
constexpr long kCrossingsPerMeeting = 32;      // more: the cells are too small

bool is_ball(const Body& body, Dimension dimension) {
  if (body.parts.size() != 1 || !std::holds_alternative<geometry::Sphere>(body.parts[0].shape)) return false;
  if (body.parts[0].pose.position.norm() != 0) return false;
  const Matrix3& I = body.inertia;
  const bool round = (I - I(0, 0) * Matrix3::Identity()).cwiseAbs().maxCoeff() <= 1e-12 * I(0, 0);
  return dimension != Dimension::space || round;  // others tumble
}

bool is_fixed_wall(const Body& body) {
  const Prescribed& known = *body.prescribed;
  return known.angle.is_constant() &&
         std::all_of(known.position.begin(), known.position.end(),
                     [](const TimeFunction& c) { return c.is_constant(); }) &&
         std::all_of(body.parts.begin(), body.parts.end(), [](const geometry::Part& part) {
           return std::holds_alternative<geometry::HalfSpace>(part.shape);
         });
}

/// The first time at which gap + rate t + acceleration t^2 / 2 falls through zero; a gap that is already closed does so
/// at once if it is closing.
double first_fall(double gap, double rate, double acceleration) {
  gap = std::max(gap, 0.0);
  if (gap == 0 && rate < 0) return 0;
  if (acceleration == 0) return rate < 0 ? -gap / rate : kNever;
  const double inside = rate * rate - 2 * acceleration * gap;
  if (acceleration < 0) return (rate + std::sqrt(inside)) / -acceleration;
  return rate < 0 && inside >= 0 ? 2 * gap / (-rate + std::sqrt(inside)) : kNever;
}

}  // namespace

bool FreeFlight::applies(const Model& model) {
  const Description& all = model.description();
  if (!all.joints.empty() || !all.springs.empty() || !all.torsion_springs.empty() || !all.loads.empty() ||
      !all.state_loads.empty())
    return false;
  return std::all_of(all.bodies.begin(), all.bodies.end(), [&](const Body& body) {
    return body.is_free() ? is_ball(body, all.dimension) : is_fixed_wall(body);
  });
}

FreeFlight::FreeFlight(const Model& model, const ContactRules& rules, Impacts& impacts, const State& state)
    : model_(model), rules_(rules), impacts_(impacts), state_(state), now_(state.t) {
  const std::size_t size = model.bodies().size();
  const Index axes = static_cast<Index>(model.dimension());
  gravity_ = Vector3::Zero();
  gravity_.head(axes) = model.description().gravity.head(axes);
  radius_.resize(size);
  time_.assign(size, now_);
  version_.assign(size, 0);
  cell_.resize(size);
  exit_.resize(size);
  double largest = 0;
  for (int body = 0; body < static_cast<int>(size); ++body) {
    if (model.first_velocity(body) < 0) {
      walls_.push_back(body);
      continue;
    }
    balls_.push_back(body);
    const double radius = geometry::reach(model.bodies()[body].parts[0].shape);
    radius_[body] = radius;
    largest = std::max(largest, radius);
    fastest_ = std::max(fastest_, velocity(body).norm());
  }
  if (balls_.size() > kFewBalls) cell_size_ = std::max(kSmallestCell * largest, spacing());
  sort_into_cells();
}

Vector3 FreeFlight::position(int body) const {
  Vector3 x = Vector3::Zero();
  const Index axes = static_cast<Index>(model_.dimension());
  x.head(axes) = state_.q.segment(model_.first_position(body), axes);
  return x;
}

Vector3 FreeFlight::velocity(int body) const {
  Vector3 v = Vector3::Zero();
  const Index axes = static_cast<Index>(model_.dimension());
  v.head(axes) = state_.u.segment(model_.first_velocity(body), axes);
  return v;
}

void FreeFlight::move_to(int body, double t) {
  const double dt = t - time_[body];
  time_[body] = t;
  fastest_ = std::max(fastest_, velocity(body).norm());
  if (dt == 0) return;
  const Index q = model_.first_position(body), u = model_.first_velocity(body);
  const Index axes = static_cast<Index>(model_.dimension());
  state_.q.segment(q, axes) += dt * (state_.u.segment(u, axes) + 0.5 * dt * gravity_.head(axes));
  state_.u.segment(u, axes) += dt * gravity_.head(axes);
  if (axes == 2) state_.q[q + 2] += dt * state_.u[u + 2];
  if (axes < 3) return;
  const Vector3 turn = dt * state_.u.segment<3>(u + 3);
  if (turn.norm() == 0) return;
  const Quaternion old(state_.q[q + 3], state_.q[q + 4], state_.q[q + 5], state_.q[q + 6]);
  const Quaternion turned = (old * Quaternion(Eigen::AngleAxisd(turn.norm(), turn.normalized()))).normalized();
  state_.q.segment<4>(q + 3) << turned.w(), turned.x(), turned.y(), turned.z();
}

const State& FreeFlight::state() {
  for (const int body : balls_) move_to(body, now_);
  state_.t = now_;
  return state_;
}

// ---- Who meets whom, and when

double FreeFlight::meeting_of_balls(int a, int b) const {
  const std::size_t i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
  const double da = now_ - time_[i], db = now_ - time_[j];
  const Vector3 d =
      position(b) + db * velocity(b) - position(a) - da * velocity(a) + 0.5 * (db * db - da * da) * gravity_;
  const Vector3 w = velocity(b) - velocity(a) + (db - da) * gravity_;
  const double R = radius_[i] + radius_[j];
  const double along = d.dot(w), room = d.squaredNorm() - R * R;
  const double none =
      room <= 2 * R * kTouchingRound * std::min(radius_[i], radius_[j]) ? kLeftOfApproach : kRoundingOfApproach;
  if (along >= -none * d.norm() * fastest_) return kNever;
  if (room <= 0) return 0;
  const double inside = along * along - w.squaredNorm() * room;
  return inside < 0 ? kNever : room / (-along + std::sqrt(inside));
}

double FreeFlight::meeting_with_wall(int body, int wall) const {
  const std::size_t i = static_cast<std::size_t>(body);
  const double dt = now_ - time_[i];
  const Vector3 x = position(body) + dt * (velocity(body) + 0.5 * dt * gravity_), v = velocity(body) + dt * gravity_;
  double first = kNever;
  const Pose pose = model_.pose(wall, state_);
  for (const geometry::Part& part : model_.bodies()[wall].parts) {
    const Pose placed = pose * part.pose;
    const Vector3 n = placed.orientation * std::get<geometry::HalfSpace>(part.shape).normal;
    const double rate = n.dot(v), pull = n.dot(gravity_);
    const double gap = n.dot(x - placed.position) - radius_[i];
    const double none = gap <= kTouchingRound * radius_[i] ? kLeftOfApproach : kRoundingOfApproach;
    if (pull >= 0 && rate >= -none * fastest_) continue;
    first = std::min(first, first_fall(gap, rate, pull));
  }
  return first;
}

void FreeFlight::push(double t, int a, int b) {
  if (t < kNever) queue_.push({t, a, b, version_[a], version_[b]});
}

void FreeFlight::predict_pair(int a, int b) {
  if (rules_.may_touch(a, b)) push(now_ + meeting_of_balls(a, b), std::min(a, b), std::max(a, b));
}

void FreeFlight::predict(int body) {
  for_neighbours(body, [&](int other) { predict_pair(body, other); });
  for (const int wall : walls_)
    if (rules_.may_touch(body, wall)) push(now_ + meeting_with_wall(body, wall), body, wall);
}

// ---- Cells

/// The edge of a cell if each ball has one of its own in the room that they occupy now.
double FreeFlight::spacing() const {
  Vector3 low = Vector3::Constant(kNever), high = Vector3::Constant(-kNever);
  for (const int body : balls_) {
    low = low.cwiseMin(position(body));
    high = high.cwiseMax(position(body));
  }
  double room = 1;
  const Index axes = static_cast<Index>(model_.dimension());
  for (Index k = 0; k < axes; ++k) room *= high[k] - low[k];
  return std::pow(room / static_cast<double>(balls_.size()), 1.0 / static_cast<double>(axes));
}

/// Puts every ball into its cell and predicts everything anew.
void FreeFlight::sort_into_cells() {
  cells_.clear();
  queue_ = {};
  crossings_ = meetings_ = 0;
  for (const int body : balls_) {
    move_to(body, now_);
    if (!uses_cells()) continue;
    cell_[body] = cell_of(position(body));
    cells_[key(cell_[body])].push_back(body);
  }
  for (const int body : balls_) {
    predict(body);
    predict_crossing(body);
  }
}

FreeFlight::Cell FreeFlight::cell_of(const Vector3& x) const {
  return (x / cell_size_).array().floor().cast<std::int64_t>();
}

/// Cells far apart may share a key: then balls are looked at that cannot meet.
std::uint64_t FreeFlight::key(const Cell& cell) {
  std::uint64_t mixed = 0;
  for (Index k = 0; k < 3; ++k) {
    mixed = (mixed ^ static_cast<std::uint64_t>(cell[k])) * 0x9e3779b97f4a7c15ull;
    mixed ^= mixed >> 32;
  }
  return mixed;
}

template <class Use>
void FreeFlight::for_neighbours(int body, Use&& use) const {
  if (!uses_cells()) {
    for (const int other : balls_)
      if (other != body) use(other);
    return;
  }
  const Cell& centre = cell_[body];
  const int deep = model_.dimension() == Dimension::space ? 1 : 0, high = model_.dimension() == Dimension::line ? 0 : 1;
  for (int z = -deep; z <= deep; ++z)
    for (int y = -high; y <= high; ++y)
      for (int x = -1; x <= 1; ++x) {
        const auto found = cells_.find(key(centre + Cell(x, y, z)));
        if (found == cells_.end()) continue;
        for (const int other : found->second)
          if (other != body) use(other);
      }
}

/// When a body leaves its cell, in any direction.
void FreeFlight::predict_crossing(int body) {
  if (!uses_cells()) return;
  const std::size_t i = static_cast<std::size_t>(body);
  const double dt = now_ - time_[i];
  const Vector3 x = position(body) + dt * (velocity(body) + 0.5 * dt * gravity_), v = velocity(body) + dt * gravity_;
  double first = kNever;
  const auto through = [&](Index axis, int side, double time) {
    if (time >= first) return;
    first = time;
    exit_[i] = Cell::Zero();
    exit_[i][axis] = side;
  };
  for (Index k = 0; k < static_cast<Index>(model_.dimension()); ++k) {
    const double low = static_cast<double>(cell_[i][k]) * cell_size_, high = low + cell_size_;
    through(k, -1, first_fall(x[k] - low, v[k], gravity_[k]));
    through(k, 1, first_fall(high - x[k], -v[k], -gravity_[k]));
  }
  push(now_ + first, body, body);
}

void FreeFlight::cross(int body) {
  const std::size_t i = static_cast<std::size_t>(body);
  move_to(body, now_);
  const Cell old = cell_[i], next = old + exit_[i];
  std::vector<int>& left = cells_[key(old)];
  left.erase(std::find(left.begin(), left.end(), body));
  cells_[key(next)].push_back(body);
  cell_[i] = next;
  for_neighbours(body, [&](int other) {
    const Cell far = cell_[other] - old;
    if (far.cwiseAbs().maxCoeff() > 1) predict_pair(body, other);
  });
  predict_crossing(body);
  ++crossings_;
  if (crossings_ <= kCrossingsPerMeeting * (meetings_ + static_cast<long>(balls_.size()))) return;
  cell_size_ *= 2;
  sort_into_cells();
}

// ---- Impacts

/// The nearest points of all parts of two bodies as they are now.
std::vector<ContactPair> FreeFlight::nearest_pairs(int a, int b) const {
  std::vector<ContactPair> pairs, found;
  const auto parts = [&](int body) { return static_cast<int>(model_.bodies()[body].parts.size()); };
  for (int part_a = 0; part_a < parts(a); ++part_a)
    for (int part_b = 0; part_b < parts(b); ++part_b) {
      found.clear();
      find_contact_pairs(model_, state_, {a, part_a, b, part_b}, -kNever, found);
      pairs.push_back(found.front());
    }
  return pairs;
}

/// Every contact that is closed at this time and connected with the two bodies that meet. Rounding of their positions
/// may leave these a little farther apart.
std::vector<ContactPair> FreeFlight::pairs_around(int a, int b, double t) {
  std::vector<ContactPair> pairs;
  std::set<std::pair<int, int>> seen;
  std::vector<int> open = {a, b};
  state_.t = t;
  const auto look_at = [&](int one, int other) {
    const auto [low, high] = std::minmax(one, other);
    if (!rules_.may_touch(low, high) || !seen.insert({low, high}).second) return;
    const bool free = model_.first_velocity(other) >= 0;
    if (free) move_to(other, t);
    const std::vector<ContactPair> near = nearest_pairs(low, high);
    const double radius = radius_[one];
    double closed = kTouchingRound * (free ? std::min(radius, radius_[other]) : radius);
    if (low == std::min(a, b) && high == std::max(a, b)) {
      double least = kNever;
      for (const ContactPair& pair : near) least = std::min(least, pair.point.gap);
      closed = std::max(closed, least);
    }
    for (const ContactPair& pair : near) {
      if (pair.point.gap > closed) continue;
      pairs.push_back(pair);
      if (free) open.push_back(other);
    }
  };
  std::set<int> done;
  while (!open.empty()) {
    const int body = open.back();
    open.pop_back();
    if (model_.first_velocity(body) < 0 || !done.insert(body).second) continue;
    move_to(body, t);
    for_neighbours(body, [&](int other) { look_at(body, other); });
    for (const int wall : walls_) look_at(body, wall);
  }
  std::sort(pairs.begin(), pairs.end(), [](const ContactPair& x, const ContactPair& y) { return x.parts < y.parts; });
  return pairs;
}

bool FreeFlight::impact(const Meeting& meeting) {
  const std::vector<ContactPair> pairs = pairs_around(meeting.a, meeting.b, now_);
  for (const Island& island : islands(model_, pairs)) {
    // Without gravity nothing presses a slow contact together: it ends its approach and flies on.
    if (!impacts_.would_bounce(state_, island) && gravity_.squaredNorm() > 0) return false;
    state_ = impacts_.after(state_, island);
    for (const int body : island.bodies) ++version_[body];
    for (const int body : island.bodies) {
      predict(body);
      predict_crossing(body);
    }
  }
  return true;
}

bool FreeFlight::advance(double t, const std::function<bool(double)>& after_impact) {
  while (!queue_.empty() && queue_.top().t <= t) {
    const Meeting next = queue_.top();
    queue_.pop();
    if (next.version_a != version_[next.a] || next.version_b != version_[next.b]) continue;
    now_ = std::max(now_, next.t);
    if (next.a == next.b) {
      cross(next.a);
      continue;
    }
    ++meetings_;
    if (!impact(next)) return false;
    if (!after_impact(now_)) return false;
  }
  now_ = t;
  return true;
}

}  // namespace carom::simulate

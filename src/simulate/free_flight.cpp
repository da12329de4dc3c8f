#include "carom/simulate/free_flight.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/contact_points.h"

namespace carom::simulate {
namespace {

constexpr std::size_t kFewBalls = 24;      // need no cells
constexpr double kSmallestCell = 2.2;      // of the largest radius: two balls that touch are in neighbouring cells
constexpr long kCrossingsPerMeeting = 32;  // more: the cells are too small

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

/// Where a ball touches a wall, the ball's element first.
geometry::Feature feature_of(const geometry::Shape& wall, const Pose& placed, const Model& model) {
  return geometry::nearest_points(geometry::Sphere{.radius = 1}, placed, wall, placed, model.dimension()).feature;
}

/// The first time at which gap + rate t + acceleration t^2 / 2 falls through zero; a gap that is already closed does so
/// at once if it is closing.
double first_fall(double gap, double rate, double acceleration) {
  gap = std::max(gap, 0.0);
  constexpr double never = std::numeric_limits<double>::infinity();
  if (gap == 0 && rate < 0) return 0;
  if (acceleration == 0) return rate < 0 ? -gap / rate : never;
  const double inside = rate * rate - 2 * acceleration * gap;
  if (acceleration < 0) return (rate + std::sqrt(inside)) / -acceleration;
  return rate < 0 && inside >= 0 ? 2 * gap / (-rate + std::sqrt(inside)) : never;
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
    : model_(model),
      kinds_(model, rules),
      impacts_(impacts),
      pair_(model, rules, kinds_),
      directly_(PairProblem::applies(model)),
      axes_(static_cast<int>(model.dimension())),
      state_(state),
      now_(state.t) {
  gravity_.head(axes_) = model.description().gravity.head(axes_);
  ball_of_.assign(model.bodies().size(), -1);
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const std::vector<geometry::Part>& parts = model.bodies()[body].parts;
    if (model.first_velocity(body) < 0) {
      const Pose pose = model.pose(body, state);
      for (int part = 0; part < static_cast<int>(parts.size()); ++part) {
        const Pose placed = pose * parts[part].pose;
        const Vector3 normal = placed.orientation * std::get<geometry::HalfSpace>(parts[part].shape).normal;
        faces_.push_back(
            {normal, normal.dot(placed.position), body, part, feature_of(parts[part].shape, placed, model)});
      }
      continue;
    }
    ball_of_[body] = static_cast<int>(balls_.size());
    bodies_.push_back(body);
    Ball& ball = balls_.emplace_back();
    ball.t = now_;
    ball.radius = geometry::reach(parts[0].shape);
    ball.x.head(axes_) = state.q.segment(model.first_position(body), axes_);
    ball.v.head(axes_) = state.u.segment(model.first_velocity(body), axes_);
    fastest_ = std::max(fastest_, ball.v.norm());
  }
  plan_.resize(balls_.size());
  for (Plan& plan : plan_) plan.turned = now_;
  past_.resize(balls_.size());
  choose_cells();
  sort_into_cells();
}

// ---- Flight

/// Where it is now, as it was turned last in this state.
void FreeFlight::write(int index, State& state) const {
  const Ball& ball = balls_[index];
  const Index q = model_.first_position(bodies_[index]), u = model_.first_velocity(bodies_[index]);
  state.q.segment(q, axes_) = place(ball).head(axes_);
  state.u.segment(u, axes_) = velocity(ball).head(axes_);
  const double dt = now_ - plan_[index].turned;
  if (axes_ == 2) state.q[q + 2] += dt * state.u[u + 2];
  if (axes_ < 3) return;
  const Vector3 turn = dt * state.u.segment<3>(u + 3);
  const double angle = turn.norm();
  if (angle == 0) return;
  const Quaternion old(state.q[q + 3], state.q[q + 4], state.q[q + 5], state.q[q + 6]);
  const Quaternion turned = (old * Quaternion(Eigen::AngleAxisd(angle, turn / angle))).normalized();
  state.q.segment<4>(q + 3) << turned.w(), turned.x(), turned.y(), turned.z();
}

void FreeFlight::write(int index) {
  write(index, state_);
  plan_[index].turned = now_;
}

State FreeFlight::completed(State state) const {
  for (int ball = 0; ball < static_cast<int>(balls_.size()); ++ball) write(ball, state);
  state.t = now_;
  return state;
}

void FreeFlight::read_velocity(int index) {
  balls_[index].v.head(axes_) = state_.u.segment(model_.first_velocity(bodies_[index]), axes_);
}

State FreeFlight::state() const {
  return completed(state_);
}

void FreeFlight::archived(Archive& archive) {
  archive& state_.t& state_.q& state_.u& now_& fastest_& balls_& plan_& past_& queue_;
  archive& is_large_& large_& edge_& cells_& crossings_& meetings_;
}

// ---- Who meets whom, and when

template <class Use>
void FreeFlight::for_neighbours(int ball, Use&& use) const {
  if (is_large_[ball]) {
    for (int other = 0; other < static_cast<int>(balls_.size()); ++other)
      if (other != ball) use(other, Vector3::Zero());
    return;
  }
  for (const int other : large_) use(other, Vector3::Zero());
  cells_.for_near(ball, use);
}

void FreeFlight::look_around(int ball, std::vector<Seen>& around) const {
  around.clear();
  for_neighbours(ball, [&](int other, const Vector3& image) {
    if (may_touch(ball, other)) around.push_back(seen(ball, other, image));
  });
}

double FreeFlight::meeting(int index, const Face& face) const {
  const Ball& ball = balls_[index];
  const double rate = face.normal.dot(ball.v), pull = face.normal.dot(gravity_);
  if (pull >= 0 && rate >= 0) return kNever;
  const double gap = face.normal.dot(ball.x) - face.offset - ball.radius;
  const double none = gap <= kTouchingRound * ball.radius ? kLeftOfApproach : kRoundingOfApproach;
  return pull >= 0 && rate >= -none * fastest_ ? kNever : first_fall(gap, rate, pull);
}

/// All that a ball, which was moved, may meet.
void FreeFlight::predict(int ball, const std::vector<Seen>& around) {
  plan_[ball].next = {};
  for (const Seen& other : around) consider(ball, other);
  for (int face = 0; face < static_cast<int>(faces_.size()); ++face) {
    if (!may_touch(ball, faces_[face])) continue;
    const double t = now_ + meeting(ball, faces_[face]);
    if (t < plan_[ball].next.t) plan_[ball].next = {t, ~face, 0};
  }
}

void FreeFlight::predict(int ball) {
  move(ball);
  look_around(ball, around_a_);
  predict(ball, around_a_);
  predict_exit(ball);
  schedule(ball);
}

void FreeFlight::predict_exit(int index) {
  if (is_large_[index]) return;
  const Ball& ball = balls_[index];
  Exit& exit = plan_[index].exit;
  double first = kNever;
  for (int k = 0; k < axes_; ++k) {
    const auto through = [&](int side, double time) {
      if (time >= first) return;
      first = time;
      exit.axis = k;
      exit.side = side;
    };
    if (gravity_[k] != 0 || ball.v[k] < 0)
      through(-1, first_fall(ball.x[k] - cells_.low(index, k), ball.v[k], gravity_[k]));
    if (gravity_[k] != 0 || ball.v[k] > 0)
      through(1, first_fall(cells_.high(index, k) - ball.x[k], -ball.v[k], -gravity_[k]));
  }
  exit.t = now_ + first;
}

// ---- Cells

/// The edge of cells, and which balls are too large for them: what others look at is to be least. A ball that is larger
/// than its neighbours meets as many more as its surface is.
void FreeFlight::choose_cells() {
  is_large_.assign(balls_.size(), 1);
  std::vector<int> by_size(balls_.size());
  for (std::size_t i = 0; i < by_size.size(); ++i) by_size[i] = static_cast<int>(i);
  std::stable_sort(by_size.begin(), by_size.end(), [&](int a, int b) { return balls_[a].radius > balls_[b].radius; });
  large_ = by_size;
  const Vector3& periods = model_.description().periodic;
  const bool periodic = !periods.isZero();
  if (balls_.empty() || (balls_.size() <= kFewBalls && !periodic)) return;
  Vector3 low = balls_[0].x, high = low;
  for (const Ball& ball : balls_) {
    low = low.cwiseMin(ball.x);
    high = high.cwiseMax(ball.x);
  }
  double room = 1;
  for (int k = 0; k < axes_; ++k) room *= periods[k] > 0 ? periods[k] : high[k] - low[k];
  const double count = static_cast<double>(balls_.size()), around = std::pow(3, axes_);
  const double spacing = std::pow(room / count, 1.0 / axes_), usual = balls_[by_size[by_size.size() / 2]].radius;
  double least = kNever, of_large = 0;
  std::size_t many = 0;
  // Where space is periodic images are found by cells alone, and nobody is too large for them.
  for (std::size_t i = 0; i < (periodic ? 1 : by_size.size()); ++i) {
    const double radius = balls_[by_size[i]].radius, edge = std::max(kSmallestCell * radius, spacing);
    const double crowd = room > 0 ? std::min(count, count * std::pow(edge, axes_) / room) : count;
    if (const double looked_at = around * crowd + of_large; looked_at < least) {
      least = looked_at;
      many = i;
      edge_ = edge;
    }
    of_large += 1 + std::pow(radius / usual, axes_ - 1);
  }
  large_.resize(many);
  is_large_.assign(balls_.size(), 0);
  for (const int ball : large_) is_large_[ball] = 1;
}

/// Puts every ball into its cell and predicts everything anew.
void FreeFlight::sort_into_cells() {
  crossings_ = meetings_ = 0;
  queue_ = EventHeap(static_cast<int>(balls_.size()));
  Vector3 low = Vector3::Constant(kNever), high = -low;
  for (int ball = 0; ball < static_cast<int>(balls_.size()); ++ball) {
    move(ball);
    low = low.cwiseMin(balls_[ball].x);
    high = high.cwiseMax(balls_[ball].x);
  }
  if (large_.size() < balls_.size())
    cells_ = FlightCells(balls_.size(), edge_, axes_, low, high, model_.description().periodic);
  for (int ball = 0; ball < static_cast<int>(balls_.size()); ++ball)
    if (!is_large_[ball]) cells_.insert(ball, balls_[ball].x);
  for (int ball = 0; ball < static_cast<int>(balls_.size()); ++ball) predict(ball);
}

void FreeFlight::cross(int ball) {
  const Exit exit = plan_[ball].exit;
  move(ball);
  cells_.cross(ball, exit.axis, exit.side);
  cells_.for_new(ball, exit.axis, exit.side, [&](int other, const Vector3& image) {
    if (may_touch(ball, other)) consider(ball, seen(ball, other, image));
  });
  predict_exit(ball);
  schedule(ball);
  if (cells_.may_grow(exit.axis)) ++crossings_;
  if (crossings_ <= kCrossingsPerMeeting * (meetings_ + static_cast<long>(balls_.size()))) return;
  edge_ *= 2;
  sort_into_cells();
}

bool FreeFlight::advance(double t, const std::function<bool(double)>& after_impact) {
  while (!queue_.empty() && queue_.time() <= t) {
    const int ball = queue_.first();
    const Meeting next = plan_[ball].next;
    now_ = std::max(now_, queue_.time());
    if (plan_[ball].exit.t <= next.t) {
      cross(ball);
    } else if (next.other >= 0 && next.version != plan_[next.other].version) {
      predict(ball);
    } else {
      ++meetings_;
      if (!impact(ball, next.other)) return false;
      if (!after_impact(now_)) return false;
    }
  }
  now_ = t;
  return true;
}

// ---- Impacts

/// Whether a ball, which was moved, touches anything but `other`.
bool FreeFlight::touches_more(int index, int other, const std::vector<Seen>& around) const {
  const Ball& ball = balls_[index];
  for (const Seen& one : around) {
    if (one.ball == other) continue;
    const double radius = balls_[one.ball].radius,
                 reach = ball.radius + radius + kTouchingRound * std::min(ball.radius, radius);
    if (one.d.squaredNorm() <= reach * reach) return true;
  }
  for (int face = 0; face < static_cast<int>(faces_.size()); ++face)
    if (~face != other && may_touch(index, faces_[face]) &&
        faces_[face].normal.dot(ball.x) - faces_[face].offset - ball.radius <= kTouchingRound * ball.radius)
      return true;
  return false;
}

void FreeFlight::fetch(int ball) const {
  const int body = bodies_[ball];
  const Index u = model_.first_velocity(body);
  __builtin_prefetch(state_.q.data() + model_.first_position(body), 1);
  __builtin_prefetch(state_.u.data() + u, 1);
  if (directly_) __builtin_prefetch(model_.M().masses().data() + u);
  __builtin_prefetch(&model_.bodies()[body].name);
  __builtin_prefetch(&past_[ball].last[plan_[ball].bounces % Accumulations::kRemembered], 1);
}

/// False: a contact is about to stay closed.
bool FreeFlight::impact(int ball, int other) {
  fetch(ball);
  if (other >= 0) fetch(other);
  move(ball);
  look_around(ball, around_a_);
  bool alone = directly_ && !touches_more(ball, other, around_a_);
  if (other >= 0) {
    move(other);
    look_around(other, around_b_);
    alone = alone && !touches_more(other, ball, around_b_);
  }
  if (!alone) return general_impact(ball, other);
  return bounce(ball, other);
}

}  // namespace carom::simulate

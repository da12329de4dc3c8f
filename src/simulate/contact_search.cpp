#include "carom/simulate/contact_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "carom/model/periodic.h"

namespace carom::simulate {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSink = 1e-12;  // of the smaller size: how deep a gap must be to count as closed
constexpr double kRoundingOfPlace = 16 * std::numeric_limits<double>::epsilon();
constexpr double kShortTravel = 0.05;  // of the smaller size: the gap is a cubic over such a travel
constexpr double kSlack = 1.25;        // on speeds inside an interval over those at its ends
constexpr int kDeepest = 50;           // halvings of a step
constexpr int kGapRootSteps = 100;
constexpr std::size_t kFewBodies = 24;  // are looked at over a whole step
constexpr double kFirstWindow = 0.125;  // of the time in which half of the moving bodies move by their size

double reach_of(const Body& body) {
  double reach = 0;
  for (const geometry::Part& part : body.parts)
    reach = std::max(reach, part.pose.position.norm() + geometry::reach(part.shape));
  return reach;
}

bool is_driven(const Body& body) {
  if (body.is_free()) return false;
  const std::array<TimeFunction, 3>& position = body.prescribed->position;
  return !body.prescribed->angle.is_constant() ||
         std::any_of(position.begin(), position.end(),
                     [](const TimeFunction& time_function) { return !time_function.is_constant(); });
}

void include(geometry::Bounds& box, const geometry::Bounds& other) {
  box.low = box.low.cwiseMin(other.low);
  box.high = box.high.cwiseMax(other.high);
}

void widen(geometry::Bounds& box, double margin) {
  box.low.array() -= margin;
  box.high.array() += margin;
}

geometry::Bounds bounds_of(const Body& body, const Pose& pose) {
  geometry::Bounds box;
  for (const geometry::Part& part : body.parts) include(box, geometry::bounds(part.shape, pose * part.pose));
  return box;
}

/// [m] how far a joint may go beyond its stop before it is nearer to the other one.
double way_beyond(const Model& model, const PartPair& stop) {
  const Joint& joint = model.description().joints[stop.joint()];
  if (joint.kind != Joint::Kind::revolute || model.dimension() != Dimension::space) return kInfinity;
  return joint.stops->arm * (std::numbers::pi - 0.5 * (joint.stops->high - joint.stops->low));
}

/// Where the cubic through values and rates at 0 and 1 has its lowest point inside (0, 1); nothing if it has none.
std::optional<double> least_of_cubic(double g0, double r0, double g1, double r1) {
  const double a = 3 * (r0 + r1 - 2 * (g1 - g0)), b = 2 * (3 * (g1 - g0) - 2 * r0 - r1);  // rate a x^2 + b x + r0
  const double inside = b * b - 4 * a * r0;
  if (!(inside > 0)) return std::nullopt;
  const double x = b >= 0 ? -2 * r0 / (b + std::sqrt(inside)) : (-b + std::sqrt(inside)) / (2 * a);  // where it rises
  return x > 0 && x < 1 ? std::optional(x) : std::nullopt;
}

}  // namespace

/// One pair over one window of a step. `state` is room for a state.
class ContactSearch::Approach {
 public:
  Approach(const ContactSearch& search, const TrajectoryStep& step, const Window& window, const PartPair& parts,
           const std::vector<ContactPair>& closed, State& state)
      : search_(search), step_(step), window_(window), pair_(parts), size_(search.smaller_size(parts)), state_(state) {
    for (const ContactPair& pair : closed)
      if (pair.parts == parts) closed_.push_back(pair);
    if (parts.is_stop()) unambiguous_ = way_beyond(search.model_, parts);
    for (const int body : {parts.body_a, parts.body_b}) {
      step.place(body, 0, state_);
      rounding_ = std::max(rounding_, kRoundingOfPlace * search.model_.pose(body, state_).position.norm());
      driven_ = driven_ || is_driven(search.model_.bodies()[body]);
    }
  }

  std::optional<double> first() {
    Sample from = sample(window_.from);
    if (too_far(from)) return std::nullopt;
    // What touches at the start of the step already closes where it sinks deeper.
    const double at_start = window_.from > 0 ? sample(0).gap : from.gap;
    if (at_start < 0) {
      shift_ = at_start;
      from.gap -= shift_;
      if (too_far(from)) return std::nullopt;
    }
    return search(from, sample(window_.to), 0);
  }

 private:
  Sample sample(double theta) {
    step_.place(pair_.body_a, theta, state_);
    step_.place(pair_.body_b, theta, state_);
    found_.clear();
    find_contact_pairs(search_.model_, state_, pair_, closed_.empty() ? -kInfinity : kInfinity, found_);
    Sample result{theta, kInfinity, 0, speed()};
    for (const ContactPair& pair : found_) {
      if (pair.point.gap - shift_ >= result.gap || is_closed(pair)) continue;
      result.gap = pair.point.gap - shift_;
      result.rate = step_.length() * normal_velocity(search_.model_, state_, pair);
    }
    return result;
  }

  /// To close within the window, at the speeds of its ends. Of stops and walls that shake these do not tell enough.
  bool too_far(const Sample& from) {
    if (driven_ || pair_.is_stop()) return false;
    step_.place(pair_.body_a, window_.to, state_);
    step_.place(pair_.body_b, window_.to, state_);
    return from.gap > kSlack * std::max(from.speed, speed()) * (window_.to - window_.from);
  }

  bool is_closed(const ContactPair& pair) const {
    return std::any_of(closed_.begin(), closed_.end(), [&](const ContactPair& one) { return one.same_as(pair); });
  }

  /// [m] how deep a gap must be to count as closed.
  double sink() const { return kSink * size_ + rounding_; }

  /// The bound of the speeds over an interval, from its ends and, where a wall may shake, from between them.
  double speed_between(const Sample& from, const Sample& to) {
    double most = std::max(from.speed, to.speed);
    if (!driven_) return kSlack * most;
    for (const double part : {0.25, 0.5, 0.75}) {
      const double theta = from.theta + part * (to.theta - from.theta);
      step_.place(pair_.body_a, theta, state_);
      step_.place(pair_.body_b, theta, state_);
      most = std::max(most, speed());
    }
    return kSlack * most;
  }

  /// No point of the pair approaches faster.
  double speed() const {
    const Model& model = search_.model_;
    if (pair_.is_stop()) {
      std::vector<ContactPair> stop;
      find_contact_pairs(model, state_, pair_, 0, stop);
      return step_.length() * relative_velocity(model, state_, stop.front()).norm();
    }
    const Twist a = model.twist(pair_.body_a, state_), b = model.twist(pair_.body_b, state_);
    double speed = (a.velocity - b.velocity).norm();
    for (const auto& [body, twist] : {std::pair(pair_.body_a, &a), std::pair(pair_.body_b, &b)})
      if (const double reach = search_.reach_[body]; std::isfinite(reach)) speed += reach * twist->angular.norm();
    return step_.length() * speed;
  }

  std::optional<double> search(const Sample& from, const Sample& to, int depth) {
    const double width = to.theta - from.theta;
    if (from.gap == kInfinity && to.gap == kInfinity) return std::nullopt;
    const double travel = speed_between(from, to) * width;
    if (from.gap + to.gap > travel && travel <= unambiguous_) return std::nullopt;
    if (travel <= kShortTravel * size_ || depth >= kDeepest) return in_short_interval(from, to);
    const Sample middle = sample(0.5 * (from.theta + to.theta));
    if (const std::optional<double> first = search(from, middle, depth + 1)) return first;
    return search(middle, to, depth + 1);
  }

  std::optional<double> in_short_interval(const Sample& from, const Sample& to) {
    if (to.gap < -sink()) return root(from, to);
    const double width = to.theta - from.theta;
    const std::optional<double> least = least_of_cubic(from.gap, width * from.rate, to.gap, width * to.rate);
    if (!least) return std::nullopt;
    const Sample lowest = sample(from.theta + *least * width);
    if (lowest.gap < -sink()) return root(from, lowest);
    return std::nullopt;
  }

  /// The zero of the gap between a time when it is open, or just touches, and one when it is closed.
  double root(Sample from, Sample to) {
    // Just left: it comes back only after it has risen.
    for (int i = 0; i < kGapRootSteps && from.gap <= sink(); ++i) {
      if (to.theta - from.theta <= 4 * std::numeric_limits<double>::epsilon() * to.theta) return to.theta;
      const Sample middle = sample(0.5 * (from.theta + to.theta));
      (middle.gap > sink() || (middle.gap >= -sink() && middle.rate > 0) ? from : to) = middle;
    }
    double low = from.gap, high = to.gap;
    int side = 0;
    for (int i = 0; i < kGapRootSteps; ++i) {
      const double secant = low / (low - high), share = secant > 0 && secant < 1 ? secant : 0.5;
      const double theta = from.theta + (to.theta - from.theta) * share;
      const Sample next = sample(theta);
      if (std::abs(next.gap) <= 1e-16 * size_ || to.theta - from.theta <= 1e-15 * to.theta) return theta;
      if (next.gap > 0) {
        from = next;
        low = next.gap;
        if (side == 1) high *= 0.5;
        side = 1;
      } else {
        to = next;
        high = next.gap;
        if (side == -1) low *= 0.5;
        side = -1;
      }
    }
    return to.theta;
  }

  const ContactSearch& search_;
  const TrajectoryStep& step_;
  const Window window_;
  PartPair pair_;
  double size_, rounding_ = 0;
  bool driven_ = false;             // one of the bodies moves as prescribed
  double shift_ = 0;                // [m] of the gap at the start
  double unambiguous_ = kInfinity;  // [m] of travel within which a gap cannot be mistaken for one of another turn
  std::vector<ContactPair> closed_, found_;
  State& state_;
};

ContactSearch::ContactSearch(const Model& model, const ContactRules& rules)
    : model_(model), rules_(rules), stops_(stops_of(model)) {
  for (const Body& body : model.bodies()) {
    reach_.push_back(reach_of(body));
    first_part_.push_back(static_cast<int>(size_.size()));
    for (const geometry::Part& part : body.parts) size_.push_back(geometry::reach(part.shape));
  }
  for (const PartPair& stop : stops_)
    for (const int body : {stop.body_a, stop.body_b})
      reach_[body] = std::max(reach_[body], carom::smaller_size(model, stop));
}

/// Of a body's origin.
Vector3 ContactSearch::place(const State& state, int body) const {
  const Index q = model_.first_position(body);
  if (q < 0 || model_.dimension() != Dimension::space) return model_.pose(body, state).position;
  return state.q.segment<3>(q);
}

/// Of a pair with a half-space.
std::optional<ContactSearch::FlatSide> ContactSearch::flat_side(const PartPair& parts, const State& state) const {
  if (parts.is_stop()) return std::nullopt;
  for (const auto& [wall, part, other] :
       {std::tuple(parts.body_a, parts.part_a, parts.body_b), std::tuple(parts.body_b, parts.part_b, parts.body_a)}) {
    const geometry::Part& of = model_.bodies()[wall].parts[part];
    const auto* flat = std::get_if<geometry::HalfSpace>(&of.shape);
    if (flat == nullptr) continue;
    const Pose placed = model_.pose(wall, state) * of.pose;
    return FlatSide{wall, other, placed.orientation * flat->normal, placed.position};
  }
  return std::nullopt;
}

std::vector<PartPair> ContactSearch::near_pairs(const std::vector<geometry::Bounds>& boxes) const {
  std::vector<PartPair> pairs;
  for (const auto& [i, j] : geometry::overlapping_images(boxes, model_.description().periodic)) {
    const int a = static_cast<int>(i), b = static_cast<int>(j);
    if (!rules_.may_touch(a, b)) continue;
    for (int part_a = 0; part_a < static_cast<int>(model_.bodies()[i].parts.size()); ++part_a)
      for (int part_b = 0; part_b < static_cast<int>(model_.bodies()[j].parts.size()); ++part_b)
        pairs.push_back({a, part_a, b, part_b});
  }
  pairs.insert(pairs.end(), stops_.begin(), stops_.end());
  return pairs;
}

std::vector<PartPair> ContactSearch::pairs_within(const State& state, double margin, double distance) const {
  std::vector<geometry::Bounds> boxes;
  boxes.reserve(model_.bodies().size());
  for (std::size_t i = 0; i < model_.bodies().size(); ++i) {
    boxes.push_back(bounds_of(model_.bodies()[i], model_.pose(static_cast<int>(i), state)));
    if (std::isfinite(reach_[i])) widen(boxes.back(), margin * reach_[i] + distance);
  }
  return near_pairs(boxes);
}

std::vector<ContactPair> ContactSearch::touching(const State& state, const std::vector<PartPair>& pairs, double margin,
                                                 double distance) const {
  const Vector3& periods = model_.description().periodic;
  std::vector<ContactPair> found, result;
  for (const PartPair& parts : pairs) {
    const Vector3 a = place(state, parts.body_a), b = place(state, parts.body_b);
    const double rounding = margin > 0 ? kRoundingOfPlace * std::max(a.norm(), b.norm()) : 0;
    const double limit = margin * smaller_size(parts) + distance + rounding;
    const double apart = limit + reach_[parts.body_a] + reach_[parts.body_b];
    if (std::isfinite(apart) && !parts.is_stop() && nearest_image(periods, a - b).squaredNorm() > apart * apart)
      continue;
    if (const std::optional<FlatSide> side = std::isfinite(apart) ? std::nullopt : flat_side(parts, state))
      if (side->height(side->other == parts.body_a ? a : b) > limit + reach_[side->other]) continue;
    if (distance_at_least(model_, state, parts, limit) > limit) continue;
    found.clear();
    find_contact_pairs(model_, state, parts, limit, found);
    for (const ContactPair& pair : found)
      if (pair.point.gap <= limit) result.push_back(pair);
  }
  return result;
}

std::vector<ContactPair> ContactSearch::touching(const State& state, double margin, double distance) const {
  return touching(state, pairs_within(state, margin, distance), margin, distance);
}

/// Where the body's origin goes, and around it all of the body; and where the body is at the start, and around it as
/// far as its fastest point can go. What a window leaves out of both it does not reach.
ContactSearch::Passage ContactSearch::passage_of(const TrajectoryStep& step, const Window& window, int number,
                                                 State& state) const {
  const Body& body = model_.bodies()[number];
  const double reach = reach_[number], width = window.to - window.from;
  if (!std::isfinite(reach)) return {{Vector3::Constant(-kInfinity), Vector3::Constant(kInfinity)}, is_driven(body)};
  std::array<Pose, 3> poses;
  double fastest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    step.place(number, window.from + 0.5 * static_cast<double>(k) * width, state);
    poses[k] = model_.pose(number, state);
    const Twist twist = model_.twist(number, state);
    fastest = std::max(fastest, twist.velocity.norm() + reach * twist.angular.norm());
  }
  Passage result{{}, fastest > 0 || is_driven(body)};
  for (const Pose& pose : poses) include(result.box, {pose.position, pose.position});
  const double bulge = (poses[0].position - 2 * poses[1].position + poses[2].position).norm();
  widen(result.box, reach + 0.5 * bulge);
  if (is_driven(body) || body.parts.empty()) return result;
  geometry::Bounds near = bounds_of(body, poses[0]);
  widen(near, kSlack * fastest * step.length() * width + kSink * reach + kRoundingOfPlace * poses[0].position.norm());
  result.box.low = result.box.low.cwiseMax(near.low);
  result.box.high = result.box.high.cwiseMin(near.high);
  return result;
}

/// As a part of the step.
double ContactSearch::first_window(const TrajectoryStep& step, State& state) const {
  std::vector<double> shares;  // in which bodies move by their size
  for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body) {
    const double reach = reach_[body];
    if (model_.first_velocity(body) < 0 || !(reach > 0) || !std::isfinite(reach)) continue;
    step.place(body, 0, state);
    if (const double speed = model_.twist(body, state).velocity.norm(); speed > 0)
      shares.push_back(reach / (speed * step.length()));
  }
  if (shares.size() < kFewBodies) return 1;
  const auto middle = shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2);
  std::nth_element(shares.begin(), middle, shares.end());
  return kFirstWindow * *middle;
}

/// Whether a body does not come down to a flat wall that stands.
bool ContactSearch::stays_above(const PartPair& parts, const std::vector<Passage>& passages, const State& state) const {
  const std::optional<FlatSide> side = flat_side(parts, state);
  if (!side || model_.first_velocity(side->wall) >= 0 || passages[side->wall].moves) return false;
  const geometry::Bounds& box = passages[side->other].box;
  if (!box.low.allFinite()) return false;
  const Vector3 half = 0.5 * (box.high - box.low), middle = 0.5 * (box.low + box.high);
  return side->height(middle) - side->n.cwiseAbs().dot(half) > kRoundingOfPlace * (middle.norm() + half.norm());
}

std::optional<double> ContactSearch::first_closing_in(const Window& window, const TrajectoryStep& step,
                                                      const std::vector<ContactPair>& closed, State& state) const {
  std::vector<Passage> passages;
  std::vector<geometry::Bounds> boxes;
  passages.reserve(model_.bodies().size());
  boxes.reserve(model_.bodies().size());
  for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body) {
    passages.push_back(passage_of(step, window, body, state));
    boxes.push_back(passages.back().box);
  }
  std::optional<double> first;
  for (const PartPair& parts : near_pairs(boxes)) {
    if (!passages[parts.body_a].moves && !passages[parts.body_b].moves) continue;  // nor does what is between them
    if (stays_above(parts, passages, state)) continue;
    const std::optional<double> theta = Approach(*this, step, window, parts, closed, state).first();
    if (theta && (!first || *theta < *first)) first = theta;
  }
  return first;
}

std::optional<double> ContactSearch::first_closing(const TrajectoryStep& step,
                                                   const std::vector<ContactPair>& closed) const {
  State state{0, Vector(model_.positions()), Vector(model_.velocities())};
  double width = first_window(step, state);
  for (Window window{0, 0}; window.to < 1; width *= 2) {
    window = {window.to, window.to + width < 1 - 0.5 * width ? window.to + width : 1};
    if (const std::optional<double> first = first_closing_in(window, step, closed, state)) return first;
  }
  return std::nullopt;
}

}  // namespace carom::simulate

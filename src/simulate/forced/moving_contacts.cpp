#include "carom/simulate/forced/moving_contacts.h"

#include <algorithm>
#include <limits>

#include "carom/numerics/decompositions.h"
#include "carom/simulate/smooth_motion.h"

namespace carom::simulate {
namespace {

/// A pair at another state: the same feature where it is found, else the points that touched, as parts of their bodies.
ContactPair moved(const Model& model, const State& state, const ContactPair& pair, std::vector<ContactPair>& found) {
  found.clear();
  find_contact_pairs(model, state, pair.parts, std::numeric_limits<double>::infinity(), found);
  for (const ContactPair& one : found)
    if (one.same_as(pair)) return one;
  ContactPair result = pair;
  const Pose a = model.pose(pair.parts.body_a, state), b = model.pose(pair.parts.body_b, state);
  result.point.point_a = a.to_world(pair.local_a);
  result.point.point_b = b.to_world(pair.local_b);
  result.point.normal = a.orientation * pair.normal_a;
  result.point.gap = result.point.normal.dot(result.point.point_b - result.point.point_a);
  return result;
}

}  // namespace

MovingContacts::MovingContacts(const Model& model, std::vector<ContactPair> pairs, const std::vector<char>& along,
                               std::vector<Eigen::Matrix3Xd> tangents, double start, double depth)
    : model_(model), pairs_(std::move(pairs)), tangents_(std::move(tangents)), start_(start), depth_(depth) {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (!along[i]) tangents_[i].resize(3, 0);
    row_.push_back(rows_);
    rows_ += 1 + tangents_[i].cols();
  }
}

State MovingContacts::state(double t, const double* x) const {
  State result{start_ + t, Eigen::Map<const Vector>(x, positions()),
               Eigen::Map<const Vector>(x + positions(), velocities())};
  return result;
}

Vector MovingContacts::packed(const State& state, double work, double damped) const {
  Vector x(size());
  x << state.q, state.u, work, damped, Vector::Zero(contacts());
  return x;
}

const MovingContacts::Place& MovingContacts::place(double t, const double* x) const {
  const Index n = positions() + velocities();
  if (place_.t == t && static_cast<Index>(place_.x.size()) == n && std::equal(x, x + n, place_.x.begin()))
    return place_;
  place_.t = t;
  place_.x.assign(x, x + n);
  place_.state = state(t, x);
  place_.pairs.clear();
  place_.directions.clear();
  std::vector<ContactPair> found;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    place_.pairs.push_back(moved(model_, place_.state, pairs_[i], found));
    const Vector3 normal = place_.pairs.back().point.normal;
    Eigen::Matrix3Xd directions(3, 1 + tangents_[i].cols());
    directions.col(0) = normal;
    if (tangents_[i].cols() > 0)
      directions.rightCols(tangents_[i].cols()) =
          rotation_between(pairs_[i].point.normal, normal).toRotationMatrix() * tangents_[i];
    place_.directions.push_back(std::move(directions));
  }
  return place_;
}

const std::vector<ContactPair>& MovingContacts::pairs(double t, const double* x) const {
  return place(t, x).pairs;
}

void MovingContacts::observe(double t, const double* x, double* d, double* gamma) const {
  const Place& here = place(t, x);
  for (std::size_t i = 0; i < here.pairs.size(); ++i) {
    d[i] = -here.pairs[i].point.gap;
    const Vector3 v = relative_velocity(model_, here.state, here.pairs[i]);
    Eigen::Map<Vector>(gamma + row_[i], here.directions[i].cols()) = here.directions[i].transpose() * v;
  }
}

Vector MovingContacts::applied(const Place& here, const double* force) const {
  Vector result = Vector::Zero(velocities());
  const auto add = [&](Index row, double value) { result[row] += value; };
  for (std::size_t i = 0; i < here.pairs.size(); ++i) {
    const Vector3 f = here.directions[i] * Eigen::Map<const Vector>(force + row_[i], here.directions[i].cols());
    if (f.isZero(0)) continue;
    const ContactPair& pair = here.pairs[i];
    const Pose a = model_.pose(pair.parts.body_a, here.state), b = model_.pose(pair.parts.body_b, here.state);
    model_.direction(pair.parts.body_a, a, pair.point.point_a - a.position, -f, add);
    model_.direction(pair.parts.body_b, b, pair.point.point_b - b.position, f, add);
  }
  return result;
}

void MovingContacts::move(double t, const double* x, const double* force, double* dx) const {
  if (!Eigen::Map<const Vector>(x, size()).allFinite()) {
    std::fill(dx, dx + size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const Place& here = place(t, x);
  model_.position_rate(here.state, dx);
  const Reactions reactions = react(model_, here.state, {}, applied(here, force));
  Eigen::Map<Vector>(dx + positions(), velocities()) = reactions.acceleration;
  double work = reactions.work_rate;
  for (std::size_t i = 0; i < here.pairs.size(); ++i) {
    const PartPair& parts = here.pairs[i].parts;
    const Vector3 f = here.directions[i] * Eigen::Map<const Vector>(force + row_[i], here.directions[i].cols());
    for (const double side : {-1.0, 1.0}) {
      const int body = side < 0 ? parts.body_a : parts.body_b;
      if (model_.bodies()[body].is_free()) continue;
      const geometry::ContactPoint& point = here.pairs[i].point;
      const Vector3 arm = (side < 0 ? point.point_a : point.point_b) - model_.pose(body, here.state).position;
      work -= side * f.dot(model_.twist(body, here.state).at(arm));
    }
  }
  dx[positions() + velocities()] = work;
  dx[positions() + velocities() + 1] = reactions.damping_rate;
  for (Index i = 0; i < contacts(); ++i) dx[positions() + velocities() + 2 + i] = force[row_[i]];
}

void MovingContacts::accelerate(double t, const double* x, const double* force, double* acceleration) const {
  const Place& here = place(t, x);
  const Vector gain = react(model_, here.state, {}, applied(here, force)).acceleration;
  const std::vector<char> all(here.pairs.size(), 1);
  const ContactRows rows = contact_rows(model_, here.state, here.pairs, all);
  const Vector change = rows.W.transpose() * gain + contact_bias(model_, here.state, here.pairs, all);
  for (std::size_t i = 0; i < here.pairs.size(); ++i) {
    const Vector3& n = here.pairs[i].point.normal;
    const Eigen::Matrix3Xd own = tangents_of(n, model_.dimension());
    const Vector3 a =
        n * change[rows.row[i]] +
        (own.cols() > 0 ? Vector3(own * change.segment(rows.row[i] + 1, own.cols())) : Vector3(Vector3::Zero()));
    Eigen::Map<Vector>(acceleration + row_[i], here.directions[i].cols()) = here.directions[i].transpose() * a;
  }
}

Vector MovingContacts::free_acceleration(const Place& here, const Vector& force) const {
  Vector result = model_.M().solve(force);
  const Matrix J = joint_rows(model_, here.state).J;
  if (J.cols() == 0) return result;
  Matrix MinvJ(J.rows(), J.cols());
  for (Index i = 0; i < J.cols(); ++i) MinvJ.col(i) = model_.M().solve(Vector(J.col(i)));
  return result -
         MinvJ * numerics::CompleteOrthogonal(Matrix(J.transpose() * MinvJ)).solve(Vector(J.transpose() * result));
}

Matrix MovingContacts::mobility(double t, const double* x, const std::vector<Index>& chosen) const {
  const Place& here = place(t, x);
  const Index n = static_cast<Index>(chosen.size());
  Matrix directions(velocities(), n), gains(velocities(), n);
  for (Index j = 0; j < n; ++j) {
    Vector unit = Vector::Zero(rows_);
    unit[chosen[j]] = 1;
    directions.col(j) = applied(here, unit.data());
    gains.col(j) = free_acceleration(here, directions.col(j));
  }
  return directions.transpose() * gains;
}

void MovingContacts::push(double t, const double* impulse, double* x) const {
  const Place& here = place(t, x);
  const Vector change = free_acceleration(here, applied(here, impulse));
  Eigen::Map<Vector>(x + positions(), velocities()) += change;
}

/// Places to a part of the contacts' depth, velocities to a part of their speed; turns as they move the rim.
Vector MovingContacts::scales(double speed, const Vector& depth) const {
  const double length = depth.size() > 0 ? depth.minCoeff() : depth_;
  Vector result = Vector::Constant(size(), length);
  const Index axes = static_cast<Index>(model_.dimension());
  double momentum = 0;
  for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body) {
    const Index q = model_.first_position(body), u = model_.first_velocity(body);
    if (q < 0) continue;
    double reach = 0;
    for (const geometry::Part& part : model_.bodies()[body].parts)
      reach = std::max(reach, part.pose.position.norm() + geometry::reach(part.shape));
    if (!(reach > 0)) reach = 1;
    const Index turns = axes == 1 ? 0 : axes == 2 ? 1 : 4, spins = axes == 1 ? 0 : axes == 2 ? 1 : 3;
    result.segment(q + axes, turns).setConstant(length / reach);
    result.segment(positions() + u, axes).setConstant(speed);
    result.segment(positions() + u + axes, spins).setConstant(speed / reach);
    momentum = std::max(momentum, model_.bodies()[body].mass * speed);
  }
  result.segment(positions() + velocities(), 2).setConstant(0.5 * momentum * speed);
  result.tail(contacts()).setConstant(momentum);
  return result;
}

}  // namespace carom::simulate

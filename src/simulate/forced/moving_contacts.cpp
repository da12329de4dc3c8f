#include "carom/simulate/forced/moving_contacts.h"

#include <algorithm>
#include <limits>

#include "carom/model/periodic.h"
#include "carom/numerics/decompositions.h"
#include "carom/simulate/smooth_motion.h"

namespace carom::simulate {
namespace {

/// A pair at another state: the same feature where it is found, else the points that touched, as parts of their bodies.
ContactPair moved(const Model& model, const State& state, const ContactPair& pair,
                  const std::vector<ContactPair>& found) {
  for (const ContactPair& one : found)
    if (one.same_as(pair)) return one;
  ContactPair result = pair;
  const Pose a = model.pose(pair.parts.body_a, state), b = model.pose(pair.parts.body_b, state);
  result.point.point_a = a.to_world(pair.local_a);
  result.point.point_b = b.to_world(pair.local_b);
  result.point.normal = a.orientation * pair.normal_a;
  result.point.gap =
      result.point.normal.dot(nearest_image(model.description().periodic, result.point.point_b - result.point.point_a));
  return result;
}

}  // namespace

MovingContacts::MovingContacts(const Model& model, std::vector<MovingContact> contacts, double start, double depth)
    : model_(model), contacts_(std::move(contacts)), start_(start), depth_(depth) {
  for (Index i = 0; i < this->contacts(); ++i) {
    row_.push_back(rows_);
    rows_ += 1 + tangents(i) + axes(i);
  }
}

int MovingContacts::axes(Index contact) const {
  if (!contacts_[contact].turns || model_.dimension() == Dimension::line) return 0;
  return model_.dimension() == Dimension::plane ? 1 : 3;
}

Matrix3 MovingContacts::axes_of(const Matrix3& frame) const {
  Matrix3 result = Matrix3::Zero();
  if (model_.dimension() == Dimension::plane)
    result.col(0) = Vector3::UnitZ();
  else
    result << frame.rightCols<2>(), frame.col(0);
  return result;
}

Matrix3 MovingContacts::frame_of(Index contact, const Vector3& normal) const {
  const auto& [pair, tangents, rubs, turns] = contacts_[contact];
  Matrix3 frame = Matrix3::Zero();
  frame.col(0) = normal;
  if (tangents.cols() > 0 && (rubs || turns))
    frame.middleCols(1, tangents.cols()) = rotation_between(pair.point.normal, normal).toRotationMatrix() * tangents;
  return frame;
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
  place_.frames.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactPair& first = contacts_[i].pair;
    if (i == 0 || !(contacts_[i - 1].pair.parts == first.parts)) {
      found_.clear();
      find_contact_pairs(model_, place_.state, first.parts, std::numeric_limits<double>::infinity(), found_);
    }
    place_.pairs.push_back(moved(model_, place_.state, first, found_));
    place_.frames[i] = frame_of(static_cast<Index>(i), place_.pairs.back().point.normal);
  }
  return place_;
}

const std::vector<ContactPair>& MovingContacts::pairs(double t, const double* x) const {
  return place(t, x).pairs;
}

Vector3 MovingContacts::force_of(const Place& here, std::size_t contact, const double* force) const {
  const double* own = force + row_[contact];
  Vector3 result = own[0] * here.frames[contact].col(0);
  for (int k = 1; k <= tangents(static_cast<Index>(contact)); ++k) result += own[k] * here.frames[contact].col(k);
  return result;
}

Vector3 MovingContacts::moment_of(std::size_t contact, const double* force) const {
  const Index i = static_cast<Index>(contact);
  Vector3 result = Vector3::Zero();
  const int count = axes(i);
  if (count == 0) return result;
  const Matrix3 about = axes_now(i);
  for (int k = 0; k < count; ++k) result += force[row_[contact] + 1 + tangents(i) + k] * about.col(k);
  return result;
}

void MovingContacts::observe_pair(Index contact, const State& state, const ContactPair& pair, const Matrix3& frame,
                                  double* d, double* gamma) const {
  d[contact] = -pair.point.gap;
  const Vector3 v = relative_velocity(model_, state, pair);
  double* rows = gamma + row_[contact];
  const int along = tangents(contact), count = axes(contact);
  for (int k = 0; k <= along; ++k) rows[k] = frame.col(k).dot(v);
  if (count == 0) return;
  const Matrix3 about = axes_of(frame);
  const Vector3 w = model_.twist(pair.parts.body_b, state).angular - model_.twist(pair.parts.body_a, state).angular;
  for (int k = 0; k < count; ++k) rows[1 + along + k] = about.col(k).dot(w);
}

void MovingContacts::observe(double t, const double* x, double* d, double* gamma) const {
  const Place& here = place(t, x);
  for (Index i = 0; i < contacts(); ++i) observe_pair(i, here.state, here.pairs[i], here.frames[i], d, gamma);
}

void MovingContacts::observe_one(Index contact, double t, const double* x, double* d, double* gamma) const {
  const State now = state(t, x);
  const ContactPair& first = contacts_[contact].pair;
  found_.clear();
  find_contact_pairs(model_, now, first.parts, std::numeric_limits<double>::infinity(), found_);
  const ContactPair pair = moved(model_, now, first, found_);
  observe_pair(contact, now, pair, frame_of(contact, pair.point.normal), d, gamma);
}

Vector MovingContacts::applied(const Place& here, const double* force) const {
  Vector result = Vector::Zero(velocities());
  const auto add = [&](Index row, double value) { result[row] += value; };
  for (std::size_t i = 0; i < here.pairs.size(); ++i) {
    const Vector3 f = force_of(here, i, force), moment = moment_of(i, force);
    if (f.isZero(0) && moment.isZero(0)) continue;
    const ContactPair& pair = here.pairs[i];
    const Pose a = model_.pose(pair.parts.body_a, here.state), b = model_.pose(pair.parts.body_b, here.state);
    model_.direction(pair.parts.body_a, a, pair.point.point_a - a.position, -f, add);
    model_.direction(pair.parts.body_b, b, pair.point.point_b - b.position, f, add);
    model_.torque_direction(pair.parts.body_a, a, -moment, add);
    model_.torque_direction(pair.parts.body_b, b, moment, add);
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
    if (force[row_[i]] == 0 || (model_.bodies()[parts.body_a].is_free() && model_.bodies()[parts.body_b].is_free()))
      continue;
    const Vector3 f = force_of(here, i, force), moment = moment_of(i, force);
    for (const double side : {-1.0, 1.0}) {
      const int body = side < 0 ? parts.body_a : parts.body_b;
      if (model_.bodies()[body].is_free()) continue;
      const geometry::ContactPoint& point = here.pairs[i].point;
      const Vector3 arm = (side < 0 ? point.point_a : point.point_b) - model_.pose(body, here.state).position;
      const Twist twist = model_.twist(body, here.state);
      work -= side * (f.dot(twist.at(arm)) + moment.dot(twist.angular));
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
  for (std::size_t at = 0; at < here.pairs.size(); ++at) {
    const Index i = static_cast<Index>(at);
    const ContactPair& pair = here.pairs[at];
    const Vector3& n = pair.point.normal;
    const Eigen::Matrix3Xd own = tangents_of(n, model_.dimension());
    const Vector3 a =
        n * change[rows.row[at]] +
        (own.cols() > 0 ? Vector3(own * change.segment(rows.row[at] + 1, own.cols())) : Vector3(Vector3::Zero()));
    double* result = acceleration + row_[at];
    for (int k = 0; k <= tangents(i); ++k) result[k] = here.frames[at].col(k).dot(a);
    for (int k = 0; k < axes(i); ++k) {
      const Vector3 axis = axes_now(i).col(k);
      double turn = axis.dot(model_.bias_acceleration(pair.parts.body_b, here.state).angular -
                             model_.bias_acceleration(pair.parts.body_a, here.state).angular);
      for (const double side : {-1.0, 1.0}) {
        const int body = side < 0 ? pair.parts.body_a : pair.parts.body_b;
        model_.torque_direction(body, model_.pose(body, here.state), side * axis,
                                [&](Index row, double value) { turn += value * gain[row]; });
      }
      result[1 + tangents(i) + k] = turn;
    }
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

#include "carom/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "carom/base/error.h"
#include "carom/model/periodic.h"
#include "carom/numerics/decompositions.h"

namespace carom {
namespace {

constexpr Index kQuaternion = 3;  // offset of the quaternion in a spatial body's part of q
constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kWidestStops = 350 / kDegrees;  // [rad] between the stops of a joint in space

Index positions_of(Dimension dimension) {
  return dimension == Dimension::line ? 1 : dimension == Dimension::plane ? 3 : 7;
}
Index velocities_of(Dimension dimension) {
  return dimension == Dimension::line ? 1 : dimension == Dimension::plane ? 3 : 6;
}

Quaternion quaternion_at(const Vector& q, Index first) {
  return {q[first + kQuaternion], q[first + kQuaternion + 1], q[first + kQuaternion + 2], q[first + kQuaternion + 3]};
}

void require_positive(double value, const std::string& place, std::string_view what) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(place, fmt::format("= {} is not a positive finite {}", value, what));
}

void require_inertia(const Body& body, std::size_t i, Dimension dimension) {
  if (dimension == Dimension::line) return;
  const std::string place = fmt::format("bodies[{}].inertia", i);
  if (dimension == Dimension::plane) return require_positive(body.inertia(2, 2), place, "moment of inertia");
  if (!body.inertia.allFinite()) throw InputError(place, "has an entry that is not a finite number");
  const Vector3 moments = numerics::symmetric_eigenvalues(body.inertia);
  if (!(moments[0] > 0)) throw InputError(place, "is not positive definite; some rotation would have no inertia");
}

Matrix mass_block(const Body& body, Dimension dimension) {
  Matrix block = Matrix::Zero(velocities_of(dimension), velocities_of(dimension));
  const Index axes = static_cast<Index>(dimension);
  block.topLeftCorner(axes, axes).diagonal().setConstant(body.mass);
  if (dimension == Dimension::plane) block(2, 2) = body.inertia(2, 2);
  if (dimension == Dimension::space) block.bottomRightCorner(3, 3) = body.inertia;
  return block;
}

/// Diagonal where every block is: it multiplies and solves faster.
MassMatrix mass_matrix_of(const std::vector<Matrix>& blocks, Index size) {
  Vector diagonal(size);
  Index row = 0;
  bool is_diagonal = true;
  for (const Matrix& block : blocks) {
    is_diagonal = is_diagonal && block.isDiagonal(0);
    diagonal.segment(row, block.rows()) = block.diagonal();
    row += block.rows();
  }
  return is_diagonal ? MassMatrix::diagonal(std::move(diagonal)) : MassMatrix::block_diagonal(blocks);
}

/// The radius of gyration of a body about a line through a point of its frame; on the line and in the plane about z.
double radius_of_gyration(const Body& body, const Vector3& point, const Vector3& axis) {
  const double arm = point.cross(axis).norm();
  return std::sqrt(axis.dot(body.inertia * axis) / body.mass + arm * arm);
}

/// Stops are those of one coordinate, and get the size that they are measured by.
void prepare_stops(Description& description, std::size_t i) {
  Joint& joint = description.joints[i];
  const bool moves = joint.kind == Joint::Kind::revolute || joint.kind == Joint::Kind::prismatic;
  if (!moves && (joint.stops || joint.motor || joint.damping != 0))
    throw InputError(fmt::format("joints[{}]", i), "has limits, a motor or damping; revolute and prismatic joints may");
  if (!joint.stops) return;
  const std::string place = fmt::format("joints[{}].limits", i);
  Stops& stops = *joint.stops;
  if (!(stops.low < stops.high))
    throw InputError(place, fmt::format("are {} and {}; the first is the smaller one", stops.low, stops.high));
  const bool turns = joint.kind == Joint::Kind::revolute;
  if (turns && description.dimension == Dimension::space && std::isfinite(stops.low) != std::isfinite(stops.high))
    throw InputError(place, "have one end only; in space an angle is known but for full turns and needs both");
  if (turns && description.dimension == Dimension::space && stops.high - stops.low > kWidestStops)
    throw InputError(place, fmt::format("are {:.6g} degrees apart; in space an angle is known but for full turns, and "
                                        "limits are at most {:.6g} degrees apart",
                                        (stops.high - stops.low) * kDegrees, kWidestStops * kDegrees));
  if (stops.arm > 0) return;
  for (const bool first : {true, false}) {
    const Anchor& anchor = first ? joint.a : joint.b;
    if (anchor.body < 0 || !description.bodies[anchor.body].is_free()) continue;
    const Vector3 in_b = joint.relative.conjugate() * joint.axis;
    const Vector3 axis = description.dimension != Dimension::space ? Vector3::UnitZ() : first ? joint.axis : in_b;
    stops.arm = std::max(stops.arm, radius_of_gyration(description.bodies[anchor.body], anchor.point, axis));
  }
}

}  // namespace

Model::Model(Description description) : description_(std::move(description)) {
  require_periodic(description_);
  std::vector<Matrix> blocks;
  for (std::size_t i = 0; i < bodies().size(); ++i) {
    const Body& body = bodies()[i];
    first_q_.push_back(body.is_free() ? positions_ : -1);
    first_u_.push_back(body.is_free() ? velocities_ : -1);
    if (!body.is_free()) continue;
    require_positive(body.mass, fmt::format("bodies[{}].mass", i), "mass");
    require_inertia(body, i, dimension());
    positions_ += positions_of(dimension());
    velocities_ += velocities_of(dimension());
    blocks.push_back(mass_block(body, dimension()));
    inertias_.push_back({body.mass, body.inertia(2, 2), Matrix3::Identity()});
    if (dimension() == Dimension::space) inertias_.back().turning = body.inertia.inverse();
  }
  M_ = mass_matrix_of(blocks, velocities_);
  find_groups();
  for (std::size_t i = 0; i < description_.joints.size(); ++i) prepare_stops(description_, i);
}

std::string Model::body_name(int body) const {
  return body < 0 ? "world" : bodies()[body].name;
}

std::string Model::shape_name(int body, int part) const {
  return body < 0 || part < 0 ? std::string() : bodies()[body].parts[part].name;
}

MassMatrix Model::mass_matrix(const std::vector<int>& bodies_of) const {
  std::vector<Matrix> blocks;
  blocks.reserve(bodies_of.size());
  for (const int body : bodies_of) blocks.push_back(mass_block(bodies()[body], dimension()));
  return mass_matrix_of(blocks, static_cast<Index>(blocks.size()) * velocities_of(dimension()));
}

void Model::find_groups() {
  std::vector<int> parent(bodies().size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  const auto is_free = [&](int body) { return body >= 0 && first_velocity(body) >= 0; };
  for (const Joint& joint : description_.joints) {
    if (!is_free(joint.a.body) || !is_free(joint.b.body)) continue;
    const int a = root(joint.a.body), b = root(joint.b.body);
    parent[std::max(a, b)] = std::min(a, b);
  }
  group_of_.resize(bodies().size());
  groups_.resize(bodies().size());
  for (int body = 0; body < static_cast<int>(bodies().size()); ++body) {
    group_of_[body] = root(body);
    groups_[root(body)].bodies.push_back(body);
  }
  for (int i = 0; i < static_cast<int>(description_.joints.size()); ++i) {
    const Joint& joint = description_.joints[i];
    const int body = is_free(joint.a.body) ? joint.a.body : joint.b.body;
    if (is_free(body)) groups_[root(body)].joints.push_back(i);
  }
}

State Model::state(const Placement& placement, double t) const {
  State state{t, Vector::Zero(positions_), Vector::Zero(velocities_)};
  const Index axes = static_cast<Index>(dimension());
  for (std::size_t i = 0; i < bodies().size(); ++i) {
    const Index q = first_q_[i], u = first_u_[i];
    if (q < 0) continue;
    const Quaternion turn = placement.poses[i].orientation.normalized();
    const Vector3& spin = placement.angular_velocities[i];
    state.q.segment(q, axes) = placement.poses[i].position.head(axes);
    state.u.segment(u, axes) = placement.velocities[i].head(axes);
    if (dimension() == Dimension::plane) {
      state.q[q + 2] = 2 * std::atan2(turn.z(), turn.w());
      state.u[u + 2] = spin.z();
    } else if (dimension() == Dimension::space) {
      state.q.segment<4>(q + kQuaternion) << turn.w(), turn.x(), turn.y(), turn.z();
      state.u.segment<3>(u + 3) = turn.conjugate() * spin;
    }
  }
  return state;
}

Pose Model::pose(int body, const State& state) const {
  if (body < 0) return {};
  if (const std::optional<Prescribed>& known = bodies()[body].prescribed) {
    Pose pose;
    for (std::size_t i = 0; i < 3; ++i) pose.position[static_cast<Index>(i)] = known->position[i].at(state.t).value;
    pose.orientation = Eigen::AngleAxisd(known->angle.at(state.t).value, known->axis) * known->start;
    return pose;
  }
  const Index q = first_position(body);
  switch (dimension()) {
    case Dimension::line:
      return {Vector3(state.q[q], 0, 0), Quaternion::Identity()};
    case Dimension::plane: {
      const double half = 0.5 * state.q[q + 2];
      return {Vector3(state.q[q], state.q[q + 1], 0), Quaternion(std::cos(half), 0, 0, std::sin(half))};
    }
    default:
      return {state.q.segment<3>(q), quaternion_at(state.q, q).normalized()};
  }
}

Twist Model::twist(int body, const State& state) const {
  if (body < 0) return {};
  Twist twist;
  if (const std::optional<Prescribed>& known = bodies()[body].prescribed) {
    for (std::size_t i = 0; i < 3; ++i) twist.velocity[static_cast<Index>(i)] = known->position[i].at(state.t).rate;
    twist.angular = known->angle.at(state.t).rate * known->axis;
    return twist;
  }
  const Index u = first_velocity(body);
  const Index axes = static_cast<Index>(dimension());
  twist.velocity.head(axes) = state.u.segment(u, axes);
  if (dimension() == Dimension::plane) twist.angular.z() = state.u[u + 2];
  if (dimension() == Dimension::space)
    twist.angular = quaternion_at(state.q, first_position(body)).normalized() * state.u.segment<3>(u + 3);
  return twist;
}

Twist Model::bias_acceleration(int body, const State& state) const {
  Twist bias;
  if (body < 0) return bias;
  const std::optional<Prescribed>& known = bodies()[body].prescribed;
  if (!known) return bias;  // the angular velocity in the world is constant where that in the body is
  for (std::size_t i = 0; i < 3; ++i)
    bias.velocity[static_cast<Index>(i)] = known->position[i].at(state.t).acceleration;
  bias.angular = known->angle.at(state.t).acceleration * known->axis;
  return bias;
}

void Model::position_rate(const State& state, double* rate) const {
  const Index axes = static_cast<Index>(dimension());
  for (std::size_t i = 0; i < bodies().size(); ++i) {
    const Index q = first_q_[i], u = first_u_[i];
    if (q < 0) continue;
    for (Index k = 0; k < axes; ++k) rate[q + k] = state.u[u + k];
    if (dimension() == Dimension::plane) rate[q + 2] = state.u[u + 2];
    if (dimension() != Dimension::space) continue;
    const Quaternion spin(0, state.u[u + 3], state.u[u + 4], state.u[u + 5]);
    const Quaternion change = quaternion_at(state.q, q) * spin;
    rate[q + 3] = 0.5 * change.w();
    rate[q + 4] = 0.5 * change.x();
    rate[q + 5] = 0.5 * change.y();
    rate[q + 6] = 0.5 * change.z();
  }
}

void Model::normalize(Vector& q) const {
  if (dimension() != Dimension::space) return;
  for (const Index first : first_q_)
    if (first >= 0) q.segment<4>(first + kQuaternion).normalize();
}

void Model::displace(Vector& q, const Vector& step) const {
  const Index axes = static_cast<Index>(dimension());
  for (std::size_t i = 0; i < bodies().size(); ++i) {
    const Index first = first_q_[i], u = first_u_[i];
    if (first < 0) continue;
    q.segment(first, axes) += step.segment(u, axes);
    if (dimension() == Dimension::plane) q[first + 2] += step[u + 2];
    if (dimension() != Dimension::space) continue;
    const Vector3 turn = step.segment<3>(u + 3);
    const double angle = turn.norm();
    if (angle == 0) continue;
    const Quaternion turned =
        (quaternion_at(q, first) * Quaternion(Eigen::AngleAxisd(angle, turn / angle))).normalized();
    q.segment<4>(first + kQuaternion) << turned.w(), turned.x(), turned.y(), turned.z();
  }
}

State inside_box(const Model& model, State state) {
  const Vector3& periods = model.description().periodic;
  if (periods.isZero()) return state;
  const Index axes = static_cast<Index>(model.dimension());
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const Index q = model.first_position(body);
    if (q < 0) continue;
    Vector3 x = Vector3::Zero();
    x.head(axes) = state.q.segment(q, axes);
    state.q.segment(q, axes) = inside_box(periods, x).head(axes);
  }
  return state;
}

}  // namespace carom

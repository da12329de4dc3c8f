#include "carom/model/contact_pair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "carom/geometry/apart.h"
#include "carom/geometry/contact_motion.h"
#include "carom/model/joint_coordinate.h"
#include "carom/model/joint_rows.h"
#include "carom/model/periodic.h"
#include "carom/numerics/decompositions.h"
#include "carom/numerics/sparse_columns.h"

namespace carom {
namespace {

constexpr double kSameNormal = 1e-7;  // [rad]

const geometry::Part& part_of(const Model& model, int body, int part) {
  return model.bodies()[body].parts[part];
}

Vector3 point_velocity(const Model& model, const State& state, int body, const Vector3& point) {
  return model.twist(body, state).at(point - model.pose(body, state).position);
}

/// A body at one side of a touch.
struct PairSide {
  const geometry::Shape& shape;
  Pose pose;    // of the shape
  Vector3 arm;  // from the body's origin to the contact point
  Twist twist, bias;

  Vector3 velocity() const { return twist.at(arm); }
  /// Of the material point in contact as the contact creeps over the body with xi, with u' = 0.
  Vector3 velocity_rate(const Vector3& xi) const {
    return bias.at(arm) + twist.angular.cross(twist.angular.cross(arm) + xi);
  }
};
PairSide pair_side(const Model& model, const State& state, int body, int part, const Vector3& point) {
  const Pose pose = model.pose(body, state);
  const geometry::Part& of_body = part_of(model, body, part);
  return {of_body.shape, pose * of_body.pose, point - pose.position, model.twist(body, state),
          model.bias_acceleration(body, state)};
}

/// Of the smaller one; two half-spaces have none.
double size_of(const geometry::Shape& a, const geometry::Shape& b) {
  const double size = std::min(geometry::reach(a), geometry::reach(b));
  return std::isfinite(size) ? size : 1;
}

const Joint& joint_of(const Model& model, const PartPair& stop) {
  return model.description().joints[stop.joint()];
}

/// The velocity of a stop's gap over the rate of its joint's coordinate.
double rate_of_stop(const Joint& joint, const PartPair& stop) {
  return (stop.is_upper() ? -1 : 1) * (joint.kind == Joint::Kind::revolute ? joint.stops->arm : 1);
}

ContactPair stop_pair(const Model& model, const State& state, const PartPair& parts) {
  const Joint& joint = joint_of(model, parts);
  const JointCoordinate coordinate = joint_coordinate(model, state, joint);
  const double limit = parts.is_upper() ? joint.stops->high : joint.stops->low;
  geometry::ContactPoint point;
  point.gap = rate_of_stop(joint, parts) * (coordinate.value - limit);
  point.point_a = point.point_b = coordinate.place;
  point.normal = (parts.is_upper() ? -1 : 1) * coordinate.axis;
  const Pose a = model.pose(joint.a.body, state), b = model.pose(joint.b.body, state);
  return {parts,
          point,
          a.to_local(point.point_a),
          b.to_local(point.point_b),
          a.orientation.conjugate() * point.normal,
          b.orientation.conjugate() * point.normal};
}

}  // namespace

std::array<std::string, 2> shape_names(const Model& model, const PartPair& parts) {
  return {model.shape_name(parts.body_a, parts.part_a), model.shape_name(parts.body_b, parts.part_b)};
}

std::vector<PartPair> stops_of(const Model& model) {
  std::vector<PartPair> stops;
  const std::vector<Joint>& joints = model.description().joints;
  for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
    const auto& [a, b] = std::pair(joints[i].a.body, joints[i].b.body);
    if (!joints[i].stops || (model.first_velocity(a) < 0 && model.first_velocity(b) < 0)) continue;
    const PartPair lower{a < 0 ? b : a, -1, b < 0 ? a : b, -1, 2 * i};
    if (std::isfinite(joints[i].stops->low)) stops.push_back(lower);
    if (!std::isfinite(joints[i].stops->high)) continue;
    stops.push_back(lower);
    ++stops.back().stop;
  }
  return stops;
}

double smaller_size(const Model& model, const PartPair& parts) {
  if (parts.is_stop()) return joint_of(model, parts).stops->arm;
  return std::min(geometry::reach(part_of(model, parts.body_a, parts.part_a).shape),
                  geometry::reach(part_of(model, parts.body_b, parts.part_b).shape));
}

std::string name_of(const Model& model, const PartPair& parts, std::string_view between) {
  if (parts.is_stop()) return joint_of(model, parts).name;
  return model.body_name(parts.body_a) + std::string(between) + model.body_name(parts.body_b);
}

void find_contact_pairs(const Model& model, const State& state, const PartPair& parts, double margin,
                        std::vector<ContactPair>& pairs) {
  if (parts.is_stop()) {
    pairs.push_back(stop_pair(model, state, parts));
    return;
  }
  const geometry::Part& a = part_of(model, parts.body_a, parts.part_a);
  const geometry::Part& b = part_of(model, parts.body_b, parts.part_b);
  std::vector<geometry::ContactPoint> points;
  const Pose pose_a = model.pose(parts.body_a, state), pose_b = model.pose(parts.body_b, state);
  const Vector3 away = image_of_other(model, a.shape, pose_a, b.shape, pose_b);
  const Pose image{pose_b.position + away, pose_b.orientation};
  geometry::contact_points(a.shape, pose_a * a.pose, b.shape, image * b.pose, margin, model.dimension(), points);
  const Vector3 grain = grain_of(model, parts, pose_a, pose_b);
  for (geometry::ContactPoint& point : points) {
    point.point_b -= away;
    pairs.push_back({parts, point, pose_a.to_local(point.point_a), pose_b.to_local(point.point_b),
                     pose_a.orientation.conjugate() * point.normal, pose_b.orientation.conjugate() * point.normal,
                     grain});
  }
}

double distance_at_least(const Model& model, const State& state, const PartPair& parts, double enough) {
  if (model.dimension() != Dimension::space || parts.is_stop()) return 0;
  const geometry::Part& a = part_of(model, parts.body_a, parts.part_a);
  const geometry::Part& b = part_of(model, parts.body_b, parts.part_b);
  if (!std::isfinite(geometry::reach(a.shape)) || !std::isfinite(geometry::reach(b.shape))) return 0;
  if (geometry::ball_radius(a.shape) && geometry::ball_radius(b.shape)) return 0;
  const Pose pose_a = model.pose(parts.body_a, state), pose_b = model.pose(parts.body_b, state);
  const Pose image{pose_b.position + image_of_other(model, a.shape, pose_a, b.shape, pose_b), pose_b.orientation};
  return geometry::distance_at_least(a.shape, pose_a * a.pose, b.shape, image * b.pose, enough);
}

Vector3 image_of_other(const Model& model, const geometry::Shape& a, const Pose& pose_a, const geometry::Shape& b,
                       const Pose& pose_b) {
  const Vector3& periods = model.description().periodic;
  if (periods.isZero() || std::isinf(geometry::reach(a)) || std::isinf(geometry::reach(b))) return Vector3::Zero();
  const Vector3 d = pose_b.position - pose_a.position;
  return nearest_image(periods, d) - d;
}

Vector3 middle_of(const Model& model, const ContactPair& pair) {
  const Vector3& periods = model.description().periodic;
  const geometry::ContactPoint& point = pair.point;
  if (periods.isZero()) return 0.5 * (point.point_a + point.point_b);
  return inside_box(periods, point.point_a + 0.5 * nearest_image(periods, point.point_b - point.point_a));
}

Tangents tangents_of(const Vector3& normal, Dimension dimension) {
  if (dimension == Dimension::line) return Tangents(3, 0);
  if (dimension == Dimension::plane) return Vector3(-normal.y(), normal.x(), 0);
  Tangents result(3, 2);
  Index least = 0;
  normal.cwiseAbs().minCoeff(&least);
  result.col(0) = Vector3::Unit(least).cross(normal).normalized();
  result.col(1) = normal.cross(result.col(0));
  return result;
}

Tangents tangents_of(const ContactPair& pair, Dimension dimension) {
  const Vector3& normal = pair.point.normal;
  if (dimension != Dimension::space || !has_grain_along(pair)) return tangents_of(normal, dimension);
  Tangents result(3, 2);
  result.col(0) = (pair.grain - normal.dot(pair.grain) * normal).normalized();
  result.col(1) = normal.cross(result.col(0));
  return result;
}

bool has_grain_along(const ContactPair& pair) {
  constexpr double kUpright = 1e-9;  // of the grain: less of it along the surface is rounding
  return pair.point.normal.cross(pair.grain).norm() > kUpright * pair.grain.norm();
}

Vector3 grain_of(const Model& model, const PartPair& parts, const Pose& pose_a, const Pose& pose_b) {
  const Body &a = model.bodies()[parts.body_a], &b = model.bodies()[parts.body_b];
  if (a.has_grain()) return pose_a.orientation * a.grain;
  return b.has_grain() ? Vector3(pose_b.orientation * b.grain) : Vector3(Vector3::Zero());
}

ContactRows contact_rows(const Model& model, const State& state, const std::vector<ContactPair>& pairs,
                         const std::vector<char>& along) {
  ContactRows rows;
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> drift;
  struct Side {
    int body;
    double sign;
    Pose pose;
    Vector3 arm, velocity;  // the latter of bodies with prescribed motion, else 0
  };
  const auto side = [&](int body, const Vector3& at, double sign) {
    const Pose pose = model.pose(body, state);
    const bool is_known = model.first_velocity(body) < 0;
    return Side{body, sign, pose, at - pose.position,
                is_known ? point_velocity(model, state, body, at) : Vector3(Vector3::Zero())};
  };
  const auto add_row = [&](const std::array<Side, 2>& sides, const Vector3& direction) {
    const Index column = static_cast<Index>(drift.size());
    drift.push_back(0);
    const auto emit = [&](Index row, double value) { entries.emplace_back(row, column, value); };
    for (const Side& one : sides) {
      model.direction(one.body, one.pose, one.arm, one.sign * direction, emit);
      if (model.first_velocity(one.body) < 0) drift.back() += one.sign * direction.dot(one.velocity);
    }
  };
  const auto add_stop = [&](const PartPair& parts) {
    const Joint& joint = joint_of(model, parts);
    const JointCoordinate coordinate = joint_coordinate(model, state, joint);
    const double factor = rate_of_stop(joint, parts);
    const Index column = static_cast<Index>(drift.size());
    drift.push_back(factor * coordinate.rate);
    coordinate_direction(model, state, joint, coordinate, [&](Index row, double value) {
      entries.emplace_back(row, column, factor * value);
      drift.back() -= factor * value * state.u[row];
    });
    const bool known = model.first_velocity(parts.body_a) < 0 || model.first_velocity(parts.body_b) < 0;
    if (!known) drift.back() = 0;
  };
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    rows.row.push_back(static_cast<Index>(drift.size()));
    if (pairs[j].parts.is_stop()) {
      add_stop(pairs[j].parts);
      if (along.empty() || !along[j]) continue;
      const Index tangents = tangents_of(pairs[j].point.normal, model.dimension()).cols();
      drift.resize(drift.size() + static_cast<std::size_t>(tangents), 0);  // nothing slips along a stop
      continue;
    }
    const PartPair& parts = pairs[j].parts;
    const geometry::ContactPoint& point = pairs[j].point;
    const std::array<Side, 2> sides = {side(parts.body_a, point.point_a, -1), side(parts.body_b, point.point_b, 1)};
    add_row(sides, point.normal);
    if (along.empty() || !along[j]) continue;
    const Tangents tangents = tangents_of(pairs[j], model.dimension());
    for (Index t = 0; t < tangents.cols(); ++t) add_row(sides, tangents.col(t));
  }
  rows.drift = Eigen::Map<const Vector>(drift.data(), static_cast<Index>(drift.size()));
  rows.W = numerics::by_columns(model.velocities(), rows.drift.size(), entries);
  return rows;
}

bool ContactPair::coincides_with(const ContactPair& other, double distance) const {
  if (same_as(other)) return true;
  const auto nearer = [](const Vector3& a, const Vector3& other_a, const Vector3& b, const Vector3& other_b) {
    return std::min((a - other_a).norm(), (b - other_b).norm());
  };
  return parts == other.parts && nearer(normal_a, other.normal_a, normal_b, other.normal_b) <= kSameNormal &&
         nearer(local_a, other.local_a, local_b, other.local_b) <= distance;
}

Vector3 relative_velocity(const Model& model, const State& state, const ContactPair& pair) {
  if (pair.parts.is_stop()) {
    const Joint& joint = joint_of(model, pair.parts);
    const double rate = joint_coordinate(model, state, joint).rate;
    return rate_of_stop(joint, pair.parts) * rate * pair.point.normal;
  }
  return point_velocity(model, state, pair.parts.body_b, pair.point.point_b) -
         point_velocity(model, state, pair.parts.body_a, pair.point.point_a);
}

Vector contact_bias(const Model& model, const State& state, const std::vector<ContactPair>& pairs,
                    const std::vector<char>& along) {
  std::vector<double> bias;
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    const PartPair& parts = pairs[j].parts;
    const geometry::ContactPoint& point = pairs[j].point;
    if (parts.is_stop()) {
      const Joint& joint = joint_of(model, parts);
      bias.push_back(rate_of_stop(joint, parts) * joint_coordinate(model, state, joint).bias);
      if (!along.empty() && along[j])
        bias.resize(bias.size() + static_cast<std::size_t>(tangents_of(point.normal, model.dimension()).cols()), 0);
      continue;
    }
    const PairSide a = pair_side(model, state, parts.body_a, parts.part_a, point.point_a);
    const PairSide b = pair_side(model, state, parts.body_b, parts.part_b, point.point_b);
    const geometry::ContactMotion motion = geometry::contact_motion(
        point, geometry::contact_curvatures(a.shape, a.pose, b.shape, b.pose, point),
        {a.velocity(), a.twist.angular, b.velocity(), b.twist.angular}, size_of(a.shape, b.shape), model.dimension());
    const Vector3 rate = b.velocity_rate(motion.xi_b) - a.velocity_rate(motion.xi_a);
    bias.push_back(motion.n_rate.dot(b.velocity() - a.velocity()) + point.normal.dot(rate));
    if (along.empty() || !along[j]) continue;
    const Tangents tangents = tangents_of(pairs[j], model.dimension());
    for (Index t = 0; t < tangents.cols(); ++t) bias.push_back(tangents.col(t).dot(rate));
  }
  return Eigen::Map<const Vector>(bias.data(), static_cast<Index>(bias.size()));
}

ContactMasses contact_masses(const Model& model, const State& state, const ContactPair& pair) {
  const Matrix W = contact_rows(model, state, {pair}, {1}).W, J = joint_rows(model, state).J;
  const auto solve = [&](const Matrix& columns) {
    Matrix result(columns.rows(), columns.cols());
    for (Index i = 0; i < columns.cols(); ++i) result.col(i) = model.M().solve(Vector(columns.col(i)));
    return result;
  };
  const Matrix MinvW = solve(W);
  Vector G = (W.transpose() * MinvW).diagonal();
  const Vector without_joints = G;
  if (J.cols() > 0) {
    const Matrix MinvJ = solve(J);
    const numerics::CompleteOrthogonal factor(Matrix(J.transpose() * MinvJ));
    for (Index i = 0; i < W.cols(); ++i) {
      const Vector across = J.transpose() * MinvW.col(i);
      G[i] -= across.dot(factor.solve(across));
    }
  }
  constexpr double kMoves = 1e-12;  // of what it would without joints
  const auto mass = [&](Index i) { return G[i] > kMoves * without_joints[i] ? 1 / G[i] : 0.0; };
  ContactMasses result{mass(0), 0};
  for (Index i = 1; i < G.size(); ++i) result.tangential = i == 1 ? mass(i) : std::min(result.tangential, mass(i));
  return result;
}

}  // namespace carom

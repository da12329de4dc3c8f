#include "carom/model/contact_block.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/contact_motion.h"
#include "carom/geometry/feature_contact.h"

namespace carom {
namespace {

/// A body at one side of a touch.
struct TouchingSide {
  const BodyMotion& motion;
  Vector3 arm;  // from the body's origin to the contact point

  Vector3 velocity() const { return motion.twist.at(arm); }
  /// Of the material point in contact as the contact creeps over the body with xi, with u' = 0.
  Vector3 velocity_rate(const Vector3& xi) const {
    const Vector3& w = motion.twist.angular;
    return motion.bias.at(arm) + w.cross(w.cross(arm) + xi);
  }
  /// What a direction is in the body's velocities.
  Eigen::Matrix<double, 6, 1> direction(const Vector3& n, Dimension dimension) const {
    const Vector3 torque = arm.cross(n);
    Eigen::Matrix<double, 6, 1> result = Eigen::Matrix<double, 6, 1>::Zero();
    if (dimension == Dimension::space)
      result << n, motion.pose.orientation.conjugate() * torque;
    else if (dimension == Dimension::plane)
      result.head<3>() << n.x(), n.y(), torque.z();
    else
      result[0] = n.x();
    return result;
  }
};

/// Of the smaller one; two half-spaces have none.
double size_of_pair(const geometry::Shape& a, const geometry::Shape& b) {
  const double size = std::min(geometry::reach(a), geometry::reach(b));
  return std::isfinite(size) ? size : 1;
}

/// The rows of a stop, as the model writes them.
ContactBlock stop_block(const Model& model, const State& state, const ContactPair& pair, bool along,
                        ContactBlock block) {
  const ContactRows rows = contact_rows(model, state, {pair}, {static_cast<char>(along)});
  const Vector bias = contact_bias(model, state, {pair}, {static_cast<char>(along)});
  const Index size = model.dimension() == Dimension::line ? 1 : model.dimension() == Dimension::plane ? 3 : 6;
  for (Index row = 0; row < rows.W.cols(); ++row) {
    block.drift[row] = rows.drift[row];
    block.bias[row] = bias[row];
    for (SparseMatrix::InnerIterator entry(rows.W, row); entry; ++entry)
      for (std::size_t side = 0; side < 2; ++side)
        if (const Index i = entry.row() - block.first[side]; block.first[side] >= 0 && i >= 0 && i < size) {
          block.W[side](i, row) = entry.value();
          break;
        }
  }
  return block;
}

}  // namespace

BodyMotion body_motion(const Model& model, const State& state, int body) {
  return {model.pose(body, state), model.twist(body, state), model.bias_acceleration(body, state)};
}

ContactBlock contact_block(const Model& model, const State& state, const ContactPair& pair, const BodyMotion& a,
                           const BodyMotion& b, bool along) {
  ContactBlock block;
  const geometry::ContactPoint& point = pair.point;
  block.first = {model.first_velocity(pair.parts.body_a), model.first_velocity(pair.parts.body_b)};
  block.W[0].setZero();
  block.W[1].setZero();
  std::array<Vector3, 3> direction = {point.normal, Vector3::Zero(), Vector3::Zero()};
  if (along) {
    const Tangents tangents = tangents_of(pair, model.dimension());
    block.rows += static_cast<int>(tangents.cols());
    for (Index t = 0; t < tangents.cols(); ++t) block.tangents[t] = direction[1 + t] = tangents.col(t);
  }
  if (pair.parts.is_stop()) return stop_block(model, state, pair, along, block);
  const std::array<TouchingSide, 2> sides = {TouchingSide{a, point.point_a - a.pose.position},
                                             TouchingSide{b, point.point_b - b.pose.position}};
  const std::array<Vector3, 2> velocity = {sides[0].velocity(), sides[1].velocity()};
  const geometry::Part& part_a = model.bodies()[pair.parts.body_a].parts[pair.parts.part_a];
  const geometry::Part& part_b = model.bodies()[pair.parts.body_b].parts[pair.parts.part_b];
  const geometry::ContactMotion motion = geometry::contact_motion(
      point,
      geometry::contact_curvatures(part_a.shape, a.pose * part_a.pose, part_b.shape, b.pose * part_b.pose, point),
      {velocity[0], a.twist.angular, velocity[1], b.twist.angular}, size_of_pair(part_a.shape, part_b.shape),
      model.dimension());
  const Vector3 rate = sides[1].velocity_rate(motion.xi_b) - sides[0].velocity_rate(motion.xi_a);
  for (int row = 0; row < block.rows; ++row) {
    block.bias[row] = direction[row].dot(rate);
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? -1 : 1;
      if (block.first[side] >= 0)
        block.W[side].col(row) = sides[side].direction(sign * direction[row], model.dimension());
      else
        block.drift[row] += sign * direction[row].dot(velocity[side]);
    }
  }
  block.bias[0] += motion.n_rate.dot(velocity[1] - velocity[0]);
  return block;
}

std::optional<ContactPair> same_contact(const Model& model, const ContactPair& pair, const Pose& a, const Pose& b) {
  if (pair.parts.is_stop()) return std::nullopt;
  const geometry::Part& part_a = model.bodies()[pair.parts.body_a].parts[pair.parts.part_a];
  const geometry::Part& part_b = model.bodies()[pair.parts.body_b].parts[pair.parts.part_b];
  const Vector3 away = image_of_other(model, part_a.shape, a, part_b.shape, b);
  const Pose image{b.position + away, b.orientation};
  std::optional<geometry::ContactPoint> point = geometry::feature_contact(
      part_a.shape, a * part_a.pose, part_b.shape, image * part_b.pose, pair.point.feature, model.dimension());
  if (!point) return std::nullopt;
  point->point_b -= away;
  return ContactPair{pair.parts,
                     *point,
                     a.to_local(point->point_a),
                     b.to_local(point->point_b),
                     a.orientation.conjugate() * point->normal,
                     b.orientation.conjugate() * point->normal,
                     grain_of(model, pair.parts, a, b)};
}

}  // namespace carom

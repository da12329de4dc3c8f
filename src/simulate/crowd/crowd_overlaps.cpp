#include "carom/simulate/crowd/crowd_overlaps.h"

#include <algorithm>
#include <cmath>

namespace carom::simulate {
namespace {

/// Whether all bodies of an island in space turn as easily about any axis.
bool all_round(const Model& model, const CrowdIsland& island) {
  return model.dimension() == Dimension::space &&
         std::all_of(island.bodies.begin(), island.bodies.end(), [&](int body) {
           const Matrix3& inertia = model.bodies()[body].inertia;
           return inertia == Matrix3(inertia(0, 0) * Matrix3::Identity());
         });
}

/// A body at rest in its pose.
void read_resting(const Model& model, const Pose& pose, int body, int place, SweptBodies& all) {
  const Body& of = model.bodies()[body];
  SweptBody& one = all.bodies[place];
  one.inverse_mass = 1 / of.mass;
  if (all.inverse_inertia.empty()) {
    one.inverse_inertia = 1 / of.inertia(2, 2);
    return;
  }
  all.inverse_inertia[place].setZero();
  if (model.dimension() == Dimension::plane) all.inverse_inertia[place](2, 2) = 1 / of.inertia(2, 2);
  if (model.dimension() != Dimension::space) return;
  const Matrix3 R = pose.orientation.toRotationMatrix();
  all.inverse_inertia[place] = R * of.inertia.inverse() * R.transpose();
}

}  // namespace

std::optional<Vector> CrowdOverlaps::displacement(const Model& model, const BodyFrames& frames,
                                                  const std::vector<ContactPair>& pairs, const CrowdIsland& island,
                                                  const Vector& target, double accuracy) {
  bodies_.bodies.assign(island.bodies.size(), {});
  bodies_.inverse_inertia.resize(all_round(model, island) ? 0 : island.bodies.size());
  place_.assign(model.bodies().size(), -1);
  for (std::size_t i = 0; i < island.bodies.size(); ++i) {
    place_[island.bodies[i]] = static_cast<int>(i);
    read_resting(model, frames.pose(island.bodies[i]), island.bodies[i], static_cast<int>(i), bodies_);
  }
  ordered_.clear();
  const Vector3& gravity = model.description().gravity;
  for (const std::size_t i : island.pairs)
    ordered_.push_back({-gravity.dot(pairs[i].point.point_a + pairs[i].point.point_b), pairs[i].point.gap,
                        place_[pairs[i].parts.body_a], place_[pairs[i].parts.body_b]});
  const CrowdOrder& order = ordering_.of(ordered_, bodies_.bodies.size());
  swept_.contacts.assign(order.order.size(), {});
  swept_.colours = order.colours;
  double weight = 0;
  for (std::size_t k = 0; k < order.order.size(); ++k) {
    const std::size_t i = island.pairs[order.order[k]];
    const ContactPair& pair = pairs[i];
    SweptContact& one = swept_.contacts[k];
    one.a = place_[pair.parts.body_a];
    one.b = place_[pair.parts.body_b];
    one.axes.col(0) = pair.point.normal;
    one.arm_a = pair.point.point_a - frames.pose(pair.parts.body_a).position;
    one.arm_b = pair.point.point_b - frames.pose(pair.parts.body_b).position;
    one.offset[0] = pair.point.gap + target[static_cast<Index>(i)];
    prepare(one, bodies_);
    weight = std::max(weight, one.scale * std::abs(one.offset[0]));
  }
  if (!sweep_to(accuracy, weight, swept_, bodies_, 1).solved) return std::nullopt;
  Vector move = Vector::Zero(model.velocities());
  const Index axes = static_cast<Index>(model.dimension());
  for (std::size_t i = 0; i < island.bodies.size(); ++i) {
    const SweptBody& one = bodies_.bodies[i];
    const Index row = model.first_velocity(island.bodies[i]);
    move.segment(row, axes) = one.velocity.head(axes);
    if (axes == 2) move[row + 2] = one.angular.z();
    if (axes == 3) move.segment<3>(row + 3) = frames.pose(island.bodies[i]).orientation.conjugate() * one.angular;
  }
  return move;
}

}  // namespace carom::simulate

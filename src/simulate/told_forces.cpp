#include "carom/simulate/told_forces.h"

#include <algorithm>

#include "carom/simulate/shared_forces.h"

namespace carom::simulate {
namespace {

/// A force and its moment about the origin of the world.
struct Wrench {
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
};

/// Of a force given as an entry for each velocity, what acts on one free body.
Wrench wrench_on(const Model& model, const State& state, int body, const Vector& force) {
  const Index row = model.first_velocity(body), axes = static_cast<Index>(model.dimension());
  const Pose pose = model.pose(body, state);
  Wrench result;
  result.force.head(axes) = force.segment(row, axes);
  if (axes == 2) result.moment.z() = force[row + 2];
  if (axes == 3) result.moment = pose.orientation * Vector3(force.segment<3>(row + 3));
  result.moment += pose.position.cross(result.force);
  return result;
}

bool is_free(const Model& model, int body) {
  return body >= 0 && model.first_velocity(body) >= 0;
}

/// What a joint whose equations have the forces `lambda` does to its body b.
JointForce told(const Model& model, const State& state, int joint, const SparseMatrix& J, const Vector& lambda) {
  const Joint& one = model.description().joints[joint];
  const Vector force = J * lambda;
  Wrench on_b;
  if (is_free(model, one.b.body)) {
    on_b = wrench_on(model, state, one.b.body, force);
  } else if (is_free(model, one.a.body)) {
    on_b = wrench_on(model, state, one.a.body, force);
    on_b = {-on_b.force, -on_b.moment};
  }
  const Vector3 anchor = model.pose(one.b.body, state).to_world(one.b.point);
  return {joint, on_b.force, on_b.moment - anchor.cross(on_b.force), true};
}

}  // namespace

std::vector<ContactForce> told_contacts(const Model& model, const State& state, const Mode& mode,
                                        const Reactions& reactions) {
  std::vector<ContactForce> result;
  result.reserve(mode.closed.size());
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    const ContactPair& pair = mode.closed[i];
    ContactForce& one = result.emplace_back();
    one.parts = pair.parts;
    one.point = middle_of(model, pair);
    one.normal = pair.point.normal;
    one.force = reactions.contacts[static_cast<Index>(i)];
    one.tangential = reactions.friction[i];
    one.mode = mode.tangential[i].mode;
    if (one.mode == ContactMode::slip || one.mode == ContactMode::closed) one.slip = slip_velocity(model, state, pair);
    one.unique = reactions.open_contacts.empty() || !reactions.open_contacts[i];
  }
  return result;
}

std::vector<JointForce> told_joints(const Model& model, const State& state, const Vector& lambda,
                                    const std::vector<char>& open) {
  std::vector<JointForce> result;
  Index row = 0;
  for (int joint = 0; joint < static_cast<int>(model.description().joints.size()); ++joint) {
    const SparseMatrix J = joint_rows(model, state, {joint}).J;
    result.push_back(told(model, state, joint, J, lambda.segment(row, J.cols())));
    if (!open.empty())
      result.back().unique =
          std::none_of(open.begin() + row, open.begin() + row + J.cols(), [](char one) { return one; });
    row += J.cols();
  }
  return result;
}

std::vector<JointForce> told_joints(const Model& model, const State& state, const Vector& force) {
  const JointRows rows = joint_rows(model, state);
  if (rows.J.cols() == 0) return {};
  const SparseMatrix S = rows.J.transpose() * model.M().solve(rows.J);
  const SharedForces shared = share_forces(S, rows.J.transpose() * model.M().solve(force), {});
  return told_joints(model, state, shared.x, shared.open);
}

std::vector<JointForce> told_joints(const Model& model, const State& state, const std::vector<ContactForce>& contacts) {
  if (model.description().joints.empty()) return {};
  Vector applied = Vector::Zero(model.velocities());
  for (const ContactForce& contact : contacts) {
    const Vector3 force = contact.force * contact.normal + contact.tangential;
    const auto press = [&](int body, double sign) {
      const Pose pose = model.pose(body, state);
      model.direction(body, pose, contact.point - pose.position, force,
                      [&](Index row, double value) { applied[row] += sign * value; });
    };
    press(contact.parts.body_a, -1);
    press(contact.parts.body_b, 1);
  }
  const Reactions reactions = react(model, state, {}, applied);
  return told_joints(model, state, reactions.joints, reactions.open_joints);
}

}  // namespace carom::simulate

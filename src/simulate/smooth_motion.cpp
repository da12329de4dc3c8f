#include "carom/simulate/smooth_motion.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "carom/simulate/constraint_rows.h"

namespace carom::simulate {

namespace {

constexpr int kNewtonSteps = 4;      // on the positions
constexpr double kSamePlace = 1e-7;  // of the smaller body's size
constexpr double kPrecision = 1e-9;  // relative step after which Newton's method is done: its square is rounding

/// Slip is no constraint: what projects velocities leaves it alone.
std::vector<TangentialState> without_slip(std::vector<TangentialState> tangential) {
  for (TangentialState& one : tangential)
    if (one.mode == ContactMode::slip) one = {};
  return tangential;
}

/// Which constraint forces are not determined, of joints and of contacts (one entry each).
void tell_open(const ConstraintRows& constraints, const std::vector<char>& open, Reactions& result) {
  if (open.empty()) return;
  result.open_joints.assign(open.begin(), open.begin() + constraints.joints());
  for (const ForceCone& cone : constraints.cones())
    result.open_contacts.push_back(std::any_of(open.begin() + cone.row, open.begin() + cone.row + 1 + cone.tangents,
                                               [](char one) { return one; }));
}

/// slip_velocity of bodies that were looked at before.
Vector3 slip_of(const ContactPair& pair, BodyMotions& bodies) {
  const auto velocity = [&](int body, const Vector3& point) -> Vector3 {
    const BodyMotion& motion = bodies.of(body);
    return motion.twist.at(point - motion.pose.position);
  };
  const Vector3 v = velocity(pair.parts.body_b, pair.point.point_b) - velocity(pair.parts.body_a, pair.point.point_a);
  return v - pair.point.normal.dot(v) * pair.point.normal;
}

/// What a change of the rates of constraints by r does to velocities; corrections may pull.
Vector corrected(const ConstraintRows& constraints, const Vector& r) {
  return constraints.moved(share_forces(constraints.S(), r, {}).x);
}

}  // namespace

Reactions react(const Model& model, const State& state, const Mode& mode, const Vector& applied) {
  BodyMotions bodies(model, state);
  return react(model, state, bodies, mode, applied);
}

Reactions react(const Model& model, const State& state, BodyMotions& bodies, const Mode& mode, const Vector& applied) {
  ForceOrder order;
  return react(model, state, bodies, mode, applied, order);
}

Reactions react(const Model& model, const State& state, BodyMotions& bodies, const Mode& mode, const Vector& applied,
                ForceOrder& order) {
  const auto& [closed, tangential] = mode;
  const Forces acting = acting_forces(model, state);
  Reactions result{model.M().solve(applied.size() > 0 ? Vector(acting.h + applied) : acting.h),
                   {},
                   {},
                   {},
                   acting.work_rate,
                   acting.damping_rate,
                   0,
                   {},
                   {}};
  if (model.description().joints.empty() && closed.empty()) return result;
  const JointRows joints = joint_rows(model, state);
  const ConstraintRows all(model, state, bodies, joints, mode);
  if (all.size() == 0) return result;
  const SharedForces shared = share_forces(all.S(), -(all.rates(result.acceleration) + all.bias()), all.cones(), order);
  const Vector& lambda = shared.x;
  tell_open(all, shared.open, result);
  result.acceleration += all.moved(lambda);
  result.joints = lambda.head(all.joints());
  result.work_rate -= joints.drift.dot(result.joints);
  result.contacts.resize(static_cast<Index>(closed.size()));
  result.friction.reserve(closed.size());
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const ConstraintRows::ContactForce force = all.contact_force(i, lambda);
    result.contacts[static_cast<Index>(i)] = force.normal;
    result.friction.push_back(force.friction);
    result.work_rate -= force.drift_power;
    if (tangential[i].mode == ContactMode::slip && tangential[i].mu > 0)
      result.friction_rate -= force.friction.dot(slip_of(closed[i], bodies));
  }
  return result;
}

namespace {

/// Where a touch is found again among those of the same pair; if it is not, the nearest.
struct Place {
  std::size_t index = 0;
  bool same = false;
};
Place place_of(const ContactPair& pair, const std::vector<ContactPair>& found, double distance) {
  Place nearest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].same_as(pair)) return {i, true};
    const double apart = std::min((found[i].local_a - pair.local_a).norm(), (found[i].local_b - pair.local_b).norm());
    if (apart < least) {
      least = apart;
      nearest.index = i;
    }
  }
  nearest.same = found[nearest.index].coincides_with(pair, distance);
  return nearest;
}

}  // namespace

Tracked follow(const Model& model, const State& state, const Mode& mode) {
  BodyMotions bodies(model, state);
  return follow(model, state, bodies, mode);
}

Tracked follow(const Model& model, const State& state, BodyMotions& bodies, const Mode& mode) {
  Tracked result;
  result.mode.closed.reserve(mode.closed.size());
  result.mode.tangential = mode.tangential;
  std::vector<ContactPair> found;
  const PartPair* found_of = nullptr;
  result.here.assign(mode.closed.size(), 1);
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    const ContactPair& pair = mode.closed[i];
    if (!pair.parts.is_stop())
      if (std::optional<ContactPair> same =
              same_contact(model, pair, bodies.of(pair.parts.body_a).pose, bodies.of(pair.parts.body_b).pose)) {
        result.mode.closed.push_back(*std::move(same));
        continue;
      }
    if (!found_of || !(pair.parts == *found_of)) {
      found.clear();
      find_contact_pairs(model, state, pair.parts, std::numeric_limits<double>::infinity(), found);
      found_of = &pair.parts;
    }
    const Place place = place_of(pair, found, kSamePlace * smaller_size(model, pair.parts));
    result.here[i] = place.same;
    result.lost = result.lost || !place.same;
    result.mode.closed.push_back(found[place.index]);
  }
  return result;
}

Mode Tracked::found() const {
  if (!lost) return mode;
  Mode result;
  for (std::size_t i = 0; i < here.size(); ++i)
    if (here[i] != 0) result.add(mode.closed[i], mode.tangential[i]);
  return result;
}

State project_velocity(const Model& model, const State& state, const Mode& mode) {
  BodyMotions bodies(model, state);
  const ConstraintRows all(model, state, bodies, joint_rows(model, state),
                           {mode.closed, without_slip(mode.tangential)});
  if (all.size() == 0) return state;
  State result = state;
  result.u += corrected(all, -(all.rates(state.u) + all.drift()));
  return result;
}

Projected project(const Model& model, const State& state, const Mode& mode) {
  Projected result{state, 0};
  if (model.description().joints.empty() && mode.empty()) return result;
  for (int step = 0; step < kNewtonSteps; ++step) {
    BodyMotions bodies(model, result.state);
    Mode smooth = follow(model, result.state, bodies, mode).found();
    smooth.tangential.assign(smooth.closed.size(), {});
    const ConstraintRows all(model, result.state, bodies, joint_rows(model, result.state), smooth);
    if (all.size() == 0) return result;
    if (step == 0) result.error = all.value().cwiseAbs().maxCoeff();
    const Vector move = corrected(all, -all.value());
    model.displace(result.state.q, move);
    if (move.cwiseAbs().maxCoeff() <= kPrecision * result.state.q.cwiseAbs().maxCoeff()) break;
  }
  result.state = project_velocity(model, result.state, follow(model, result.state, mode).found());
  return result;
}

}  // namespace carom::simulate

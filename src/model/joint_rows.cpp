#include "carom/model/joint_rows.h"

#include <array>
#include <numeric>

#include "carom/numerics/sparse_columns.h"

namespace carom {
namespace {

/// A point of a body and how it moves; bias is its acceleration with u' = 0.
struct Moving {
  Vector3 arm, position, velocity, bias;
};

/// The same for a direction fixed in a body.
struct Turning {
  Vector3 direction, rate, bias;
};

struct Side {
  int body = -1;
  Pose pose;
  Twist twist, acceleration;

  Side(const Model& model, const State& state, int body_)
      : body(body_),
        pose(model.pose(body_, state)),
        twist(model.twist(body_, state)),
        acceleration(model.bias_acceleration(body_, state)) {}

  Moving point(const Vector3& local) const {
    const Vector3 arm = pose.orientation * local;
    return {arm, pose.position + arm, twist.at(arm),
            acceleration.at(arm) + twist.angular.cross(twist.angular.cross(arm))};
  }
  Turning direction(const Vector3& local) const {
    const Vector3 v = pose.orientation * local;
    const Vector3 rate = twist.angular.cross(v);
    return {v, rate, acceleration.angular.cross(v) + twist.angular.cross(rate)};
  }
};

/// Two unit vectors that make a right-handed frame with the axis.
std::array<Vector3, 2> across(const Vector3& axis) {
  Index least = 0;
  axis.cwiseAbs().minCoeff(&least);
  const Vector3 first = axis.cross(Vector3::Unit(least)).normalized();
  return {first, axis.cross(first)};
}

/// Equations as they are found, one after another.
struct Rows {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> value, drift, bias;
};

/// Writes one joint's rows.
class Writer {
 public:
  Writer(const Model& model, const State& state, const Joint& joint, Rows& rows)
      : model_(model),
        joint_(joint),
        a_(model, state, joint.a.body),
        b_(model, state, joint.b.body),
        point_a_(a_.point(joint.a.point)),
        point_b_(b_.point(joint.b.point)),
        rows_(rows) {}

  void write() {
    switch (joint_.kind) {
      case Joint::Kind::distance:
        return distance();
      case Joint::Kind::spherical:
        return together();
      case Joint::Kind::revolute:
        together();
        if (model_.dimension() == Dimension::space)
          for (const Vector3& side : across(joint_.axis)) square(side, joint_.axis);
        return;
      case Joint::Kind::prismatic:
        return prismatic();
      case Joint::Kind::fixed:
        together();
        return aligned();
    }
  }

 private:
  auto emit() {
    return [this, column = static_cast<Index>(rows_.value.size())](Index row, double value) {
      rows_.entries.emplace_back(row, column, value);
    };
  }

  /// The anchors coincide in every direction of the space.
  void together() {
    for (Index i = 0; i < static_cast<Index>(model_.dimension()); ++i) {
      const Vector3 n = Vector3::Unit(i);
      emit_points(n, point_a_.arm, point_b_.arm);
      finish(n.dot(point_b_.position - point_a_.position), n.dot(drift_velocity()),
             n.dot(point_b_.bias - point_a_.bias));
    }
  }

  /// The anchors keep their distance.
  void distance() {
    const Vector3 d = point_b_.position - point_a_.position;
    const double length = d.norm();
    const Vector3 n = length > 0 ? Vector3(d / length) : Vector3::UnitX();
    const Vector3 v = point_b_.velocity - point_a_.velocity;
    const double along = n.dot(v);
    emit_points(n, point_a_.arm, point_b_.arm);
    finish(length - joint_.length, n.dot(drift_velocity()),
           n.dot(point_b_.bias - point_a_.bias) +
               (v.squaredNorm() - along * along) / (length > 0 ? length : joint_.length));
  }

  /// b slides along an axis of a, without turning.
  void prismatic() {
    aligned();
    if (model_.dimension() == Dimension::plane) slide(Vector3::UnitZ().cross(joint_.axis));
    if (model_.dimension() == Dimension::space)
      for (const Vector3& side : across(joint_.axis)) slide(side);
  }

  /// The distance of the anchors in a direction fixed in a stays 0: d = s . (p_b - p_a).
  void slide(const Vector3& local) {
    const Turning s = a_.direction(local);
    const Vector3 gap = point_b_.position - point_a_.position;
    const Vector3 v = point_b_.velocity - point_a_.velocity;
    emit_points(s.direction, point_a_.arm + gap, point_b_.arm);
    const Vector3 drift_a = drift_twist(a_).at(point_a_.arm + gap);
    finish(s.direction.dot(gap), s.direction.dot(drift_twist(b_).at(point_b_.arm) - drift_a),
           s.bias.dot(gap) + 2 * s.rate.dot(v) + s.direction.dot(point_b_.bias - point_a_.bias));
  }

  /// No relative rotation.
  void aligned() {
    if (model_.dimension() == Dimension::line) return;
    if (model_.dimension() == Dimension::plane) {
      const Quaternion turn = (a_.pose.orientation * joint_.relative).conjugate() * b_.pose.orientation;
      emit_torque(Vector3::UnitZ());
      finish(2 * std::atan2(turn.z() * (turn.w() < 0 ? -1 : 1), std::abs(turn.w())), drift_spin().z(),
             b_.acceleration.angular.z() - a_.acceleration.angular.z());
      return;
    }
    square(Vector3::UnitX(), Vector3::UnitY());
    square(Vector3::UnitY(), Vector3::UnitZ());
    square(Vector3::UnitZ(), Vector3::UnitX());
  }

  /// Two directions that are square at the start stay so: `local_a` in a, and in b what was `other` in a.
  void square(const Vector3& local_a, const Vector3& other) {
    const Turning x = a_.direction(local_a), y = b_.direction(joint_.relative.conjugate() * other);
    emit_torque(y.direction.cross(x.direction));
    finish(x.direction.dot(y.direction), drift_spin().dot(y.direction.cross(x.direction)),
           x.bias.dot(y.direction) + 2 * x.rate.dot(y.rate) + x.direction.dot(y.bias));
  }

  Twist drift_twist(const Side& side) const {
    return side.body >= 0 && model_.first_velocity(side.body) < 0 ? side.twist : Twist{};
  }
  Vector3 drift_velocity() const { return drift_twist(b_).at(point_b_.arm) - drift_twist(a_).at(point_a_.arm); }
  Vector3 drift_spin() const { return drift_twist(b_).angular - drift_twist(a_).angular; }

  void emit_points(const Vector3& n, const Vector3& arm_a, const Vector3& arm_b) {
    model_.direction(a_.body, a_.pose, arm_a, -n, emit());
    model_.direction(b_.body, b_.pose, arm_b, n, emit());
  }
  void emit_torque(const Vector3& torque) {
    model_.torque_direction(a_.body, a_.pose, -torque, emit());
    model_.torque_direction(b_.body, b_.pose, torque, emit());
  }
  void finish(double value, double drift, double bias) {
    rows_.value.push_back(value);
    rows_.drift.push_back(drift);
    rows_.bias.push_back(bias);
  }

  const Model& model_;
  const Joint& joint_;
  Side a_, b_;
  Moving point_a_, point_b_;
  Rows& rows_;
};

}  // namespace

JointRows joint_rows(const Model& model, const State& state) {
  std::vector<int> all(model.description().joints.size());
  std::iota(all.begin(), all.end(), 0);
  return joint_rows(model, state, all);
}

JointRows joint_rows(const Model& model, const State& state, const std::vector<int>& joints) {
  const std::vector<Joint>& every = model.description().joints;
  Rows rows;
  rows.entries.reserve(24 * joints.size());
  for (const int joint : joints) Writer(model, state, every[joint], rows).write();
  const auto size = static_cast<Index>(rows.value.size());
  const auto vector = [&](const std::vector<double>& values) { return Eigen::Map<const Vector>(values.data(), size); };
  return {numerics::by_columns(model.velocities(), size, rows.entries), vector(rows.value), vector(rows.drift),
          vector(rows.bias)};
}

}  // namespace carom

#include "carom/record/report_frames.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "carom/model/periodic.h"
#include "carom/record/packed.h"
#include "carom/record/report_loads.h"
#include "carom/record/report_scene.h"

namespace carom::record {
namespace {

constexpr std::size_t kPoseNumbers = 4'000'000;  // of all frames together
constexpr std::size_t kJumpNumbers = 300'000;    // of them in states beside impacts
constexpr std::size_t kMostFrames = 4000, kFewestFrames = 8;
constexpr std::size_t kFloatNumbers = 400'000;  // more are written in two bytes instead of four
constexpr std::size_t kPlotted = 200;           // bodies whose velocities are kept
constexpr std::size_t kBallsThatTurn = 2000;    // more balls only move
constexpr std::size_t kContactsOfAll = 100'000, kContactsOfOne = 4000;

Index axes_seen(const Model& model) {
  return static_cast<Index>(model.dimension());
}

bool is_ball(const Body& body) {
  return body.parts.size() == 1 && geometry::ball_radius(body.parts[0].shape).has_value();
}

std::vector<std::string_view> pose_columns(Dimension dimension, bool turns) {
  switch (dimension) {
    case Dimension::line:
      return {"x [m]"};
    case Dimension::plane:
      return {"x [m]", "y [m]", "angle [rad]"};
    default:
      if (!turns) return {"x [m]", "y [m]", "z [m]"};
      return {"x [m]", "y [m]", "z [m]", "qx", "qy", "qz", "qw"};
  }
}

std::vector<std::string_view> velocity_columns(Dimension dimension) {
  switch (dimension) {
    case Dimension::line:
      return {"vx [m/s]"};
    case Dimension::plane:
      return {"vx [m/s]", "vy [m/s]", "spin [rad/s]"};
    default:
      return {"vx [m/s]", "vy [m/s]", "vz [m/s]", "wx [rad/s]", "wy [rad/s]", "wz [rad/s]"};
  }
}

std::vector<std::string_view> joint_columns(Dimension dimension) {
  switch (dimension) {
    case Dimension::line:
      return {"fx [N]"};
    case Dimension::plane:
      return {"fx [N]", "fy [N]", "tz [N m]"};
    default:
      return {"fx [N]", "fy [N]", "fz [N]", "tx [N m]", "ty [N m]", "tz [N m]"};
  }
}

void append(std::vector<float>& list, const Vector3& v, Index count) {
  for (Index i = 0; i < count; ++i) list.push_back(static_cast<float>(v[i]));
}

/// Angles of the plane count whole turns, as the state does.
double angle_seen(const Model& model, int body, const State& state, const Pose& pose) {
  const Index q = model.first_position(body);
  if (q >= 0) return state.q[q + 2];
  const Prescribed& told = *model.bodies()[body].prescribed;
  if (told.angle.is_constant()) return 2 * std::atan2(pose.orientation.z(), pose.orientation.w());
  return 2 * std::atan2(told.start.z(), told.start.w()) + told.angle.at(state.t).value * told.axis.z();
}

}  // namespace

ReportFrames::ReportFrames(const Model& model) : moving_(moving_bodies(model)) {
  turns_ = moving_.size() <= kBallsThatTurn ||
           !std::all_of(moving_.begin(), moving_.end(), [&](int body) { return is_ball(model.bodies()[body]); });
  has_velocities_ = moving_.size() <= kPlotted;
  const std::size_t numbers = std::max<std::size_t>(1, moving_.size() * pose_columns(model.dimension(), turns_).size());
  most_frames_ = std::clamp(kPoseNumbers / numbers, kFewestFrames, kMostFrames);
  most_jumps_ = std::min(kJumpNumbers / numbers, most_frames_);
  contact_width_ = static_cast<std::size_t>(3 + 2 * axes_seen(model));
  most_contacts_ = kContactsOfOne;
}

ReportFrames::Frame ReportFrames::frame_at(const Model& model, const State& state) const {
  Frame frame;
  frame.t = state.t;
  const Index axes = axes_seen(model);
  for (const int body : moving_) {
    const Pose pose = model.pose(body, state);
    append(frame.pose, pose.position, axes);
    if (axes == 2) frame.pose.push_back(static_cast<float>(angle_seen(model, body, state, pose)));
    if (axes == 3 && turns_)
      for (const double value : pose.orientation.coeffs()) frame.pose.push_back(static_cast<float>(value));
    if (!has_velocities_) continue;
    const Twist twist = model.twist(body, state);
    append(frame.velocity, twist.velocity, axes);
    if (axes == 2) frame.velocity.push_back(static_cast<float>(twist.angular.z()));
    if (axes == 3) append(frame.velocity, twist.angular, axes);
  }
  return frame;
}

void ReportFrames::state(const Model& model, const State& state, const Ledger& ledger) {
  // the state before this one stayed for the case that it was the last
  if (states_ > 0 && (states_ - 1) % stride_ != 0) {
    const auto last = std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& one) { return one.recorded; });
    contacts_ -= last->contacts.size() / contact_width_;
    frames_.erase(std::next(last).base());
  }
  Frame frame = frame_at(model, state);
  frame.energy = {
      ledger.kinetic,         ledger.potential, ledger.stored, ledger.dissipated_impacts, ledger.dissipated_dampers,
      ledger.dissipated_slip, ledger.work};
  frame.loads = load_values(model, state);
  frames_.push_back(std::move(frame));
  ++states_;
  if (frames_.size() - jumps_ > most_frames_) thin();
}

void ReportFrames::thin() {
  long number = 0;
  std::vector<Frame> kept;
  for (Frame& frame : frames_) {
    const bool stays = !frame.recorded || number++ % 2 == 0 || &frame == &frames_.back();
    if (stays)
      kept.push_back(std::move(frame));
    else
      contacts_ -= frame.contacts.size() / contact_width_;
  }
  frames_ = std::move(kept);
  stride_ *= 2;
}

void ReportFrames::impact(const Model& model, const ImpactEvent& event) {
  if (event.at_rest || event.before == nullptr || jumps_ + 2 > most_jumps_) return;
  State at = inside_box(model, event.all_before());
  at.t = event.t;
  Frame before = frame_at(model, at);
  Index first = 0;
  for (const int body : event.bodies) {
    const Index row = model.first_velocity(body);
    const Index width = axes_seen(model) == 1 ? 1 : axes_seen(model) == 2 ? 3 : 6;
    if (row >= 0 && first + width <= event.u_after.size())
      at.u.segment(row, width) = event.u_after.segment(first, width);
    first += width;
  }
  Frame after = frame_at(model, at);
  before.recorded = after.recorded = false;
  frames_.push_back(std::move(before));
  frames_.push_back(std::move(after));
  jumps_ += 2;
}

void ReportFrames::contacts(const Model& model, const std::vector<ContactForce>& forces) {
  if (frames_.empty()) return;
  std::vector<const ContactForce*> strongest;
  for (const ContactForce& one : forces)
    if (!one.parts.is_stop()) strongest.push_back(&one);
  const auto stronger = [](const ContactForce* x, const ContactForce* y) { return x->force > y->force; };
  std::stable_sort(strongest.begin(), strongest.end(), stronger);
  if (strongest.size() > most_contacts_) {
    left_out_contacts_ += static_cast<long>(strongest.size() - most_contacts_);
    strongest.resize(most_contacts_);
  }
  Frame& frame = frames_.back();
  const Index axes = axes_seen(model);
  for (const ContactForce* one : strongest) {
    frame.contacts.push_back(static_cast<float>(one->parts.body_a));
    frame.contacts.push_back(static_cast<float>(one->parts.body_b));
    frame.contacts.push_back(static_cast<float>(one->force));
    append(frame.contacts, one->point, axes);
    append(frame.contacts, one->force * one->normal + one->tangential, axes);
  }
  contacts_ += strongest.size();
  while (contacts_ > kContactsOfAll && most_contacts_ > 1) thin_contacts();
}

void ReportFrames::thin_contacts() {
  most_contacts_ /= 2;
  for (Frame& frame : frames_) {
    const std::size_t count = frame.contacts.size() / contact_width_;
    if (count <= most_contacts_) continue;
    frame.contacts.resize(most_contacts_ * contact_width_);
    contacts_ -= count - most_contacts_;
    left_out_contacts_ += static_cast<long>(count - most_contacts_);
  }
}

void ReportFrames::joints(const Model& model, const std::vector<JointForce>& forces) {
  if (frames_.empty() || forces.size() > kPlotted) return;
  const Index axes = axes_seen(model);
  const std::size_t width = joint_columns(model.dimension()).size();
  std::vector<float>& all = frames_.back().joints;
  all.assign(width * model.description().joints.size(), 0);
  for (const JointForce& one : forces) {
    std::vector<float> own;
    append(own, one.force, axes);
    if (axes == 2) own.push_back(static_cast<float>(one.torque.z()));
    if (axes == 3) append(own, one.torque, axes);
    std::copy(own.begin(), own.end(), all.begin() + one.joint * static_cast<long>(width));
  }
}

Json ReportFrames::json(const Model& model) const {
  std::vector<const Frame*> order;
  for (const Frame& frame : frames_) order.push_back(&frame);
  std::stable_sort(order.begin(), order.end(), [](const Frame* x, const Frame* y) { return x->t < y->t; });
  std::vector<double> times;
  std::vector<int> recorded;
  std::vector<float> poses, velocities, energies, contacts, joints, loads;
  std::vector<std::size_t> counts;
  const std::size_t all_joints = joint_columns(model.dimension()).size() * model.description().joints.size();
  for (const Frame* frame : order) {
    times.push_back(frame->t);
    recorded.push_back(frame->recorded ? 1 : 0);
    poses.insert(poses.end(), frame->pose.begin(), frame->pose.end());
    velocities.insert(velocities.end(), frame->velocity.begin(), frame->velocity.end());
    if (!frame->recorded) continue;
    for (const double value : frame->energy) energies.push_back(static_cast<float>(value));
    counts.push_back(frame->contacts.size() / contact_width_);
    contacts.insert(contacts.end(), frame->contacts.begin(), frame->contacts.end());
    joints.insert(joints.end(), frame->joints.begin(), frame->joints.end());
    loads.insert(loads.end(), frame->loads.begin(), frame->loads.end());
  }
  const std::size_t states = counts.size();
  const std::vector<std::string_view> pose = pose_columns(model.dimension(), turns_);
  return {{"moving", moving_},
          {"times", times},
          {"recorded", recorded},
          {"poses", {{"columns", pose}, {"table", packed_table(poses, pose.size(), kFloatNumbers)}}},
          {"velocities", has_velocities_ ? Json{{"columns", velocity_columns(model.dimension())},
                                                {"table", {{"float32", packed_floats(velocities)}}}}
                                         : Json(nullptr)},
          {"energies",
           {{"columns",
             {"kinetic [J]", "potential [J]", "stored [J]", "dissipated_impacts [J]", "dissipated_dampers [J]",
              "dissipated_slip [J]", "work [J]"}},
            {"table", {{"float32", packed_floats(energies)}}}}},
          {"contacts", {{"counts", counts}, {"table", {{"float32", packed_floats(contacts)}}}}},
          {"joints",
           joints.size() == states * all_joints && !joints.empty()
               ? Json{{"columns", joint_columns(model.dimension())}, {"table", {{"float32", packed_floats(joints)}}}}
               : Json(nullptr)},
          {"loads", loads.empty() ? Json(nullptr)
                                  : Json{{"columns", joint_columns(model.dimension())},
                                         {"table", {{"float32", packed_floats(loads)}}}}},
          {"thinned", {{"every", stride_}, {"contacts_left_out", left_out_contacts_}}}};
}

}  // namespace carom::record

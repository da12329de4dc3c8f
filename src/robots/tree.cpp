#include "carom/robots/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/numerics/decompositions.h"
#include "carom/scene/words.h"

namespace carom::robots {
namespace {

constexpr double kBall = 0.05;   // [m] radius of a link without shapes that must have an inertia
constexpr double kLight = 1e-3;  // of the lightest link: the mass of one that has none and yet moves

/// I + m (d.d 1 - d d'): about a point at distance d from the centre of mass.
Matrix3 about(const Matrix3& inertia, double mass, const Vector3& d) {
  return inertia + mass * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose());
}

/// Adds mass and shapes of a link whose frame is at `place`.
void add(Link& link, const Link& other, const Pose& place) {
  const Matrix3 R = place.orientation.toRotationMatrix();
  const Vector3 centre = place.to_world(other.centre);
  const double mass = link.mass + other.mass;
  if (other.mass > 0) {
    const Vector3 common = (link.mass * link.centre + other.mass * centre) / mass;
    link.inertia = about(link.inertia, link.mass, link.centre - common) +
                   about(R * other.inertia * R.transpose(), other.mass, centre - common);
    link.centre = common;
    link.mass = mass;
  }
  for (LinkShape shape : other.shapes) {
    shape.pose = place * shape.pose;
    if (shape.name.empty()) shape.name = other.name;
    link.shapes.push_back(std::move(shape));
  }
}

/// [kg m^2] of a ball of the link's mass, as large as its shapes.
Matrix3 ball(const Link& link) {
  double radius = 0;
  for (const LinkShape& shape : link.shapes)
    radius = std::max({radius, shape.radius, shape.length / 2, shape.size.maxCoeff() / 2});
  if (radius == 0) radius = kBall;
  return 0.4 * link.mass * radius * radius * Matrix3::Identity();
}

/// An inertia that rotates: one that is none is replaced by that of a ball of the same mass.
void mend_inertia(Link& link, std::vector<std::string>& left_out) {
  const Vector3 moments = numerics::symmetric_eigenvalues(link.inertia);
  if (moments[0] > 0) {
    if (moments[2] > (1 + 1e-6) * (moments[0] + moments[1]))
      left_out.push_back(fmt::format(
          "link {}: its inertia is that of no body (one moment above the sum of the others); kept", link.name));
    return;
  }
  link.inertia = ball(link);
  left_out.push_back(fmt::format("link {}: its inertia is not positive definite; that of a ball is taken", link.name));
}

}  // namespace

void in_order(const Element& at, Robot& robot, std::vector<LinkJoint> joints) {
  const int count = static_cast<int>(robot.links.size());
  std::vector<int> joint_of(static_cast<std::size_t>(count), -1);
  for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
    int& own = joint_of[joints[i].child];
    if (own >= 0)
      fail(at, fmt::format("link {} has two parents, by the joints {} and {}; robots are trees",
                           robot.links[joints[i].child].name, joints[own].name, joints[i].name));
    own = i;
  }
  std::vector<int> place(static_cast<std::size_t>(count), -1), order;
  for (bool grew = true; grew;) {
    grew = false;
    for (int link = 0; link < count; ++link) {
      const int joint = joint_of[link];
      if (place[link] >= 0 || (joint >= 0 && joints[joint].parent >= 0 && place[joints[joint].parent] < 0)) continue;
      place[link] = static_cast<int>(order.size());
      order.push_back(link);
      grew = true;
    }
  }
  if (static_cast<int>(order.size()) < count) fail(at, "the links make a ring; robots are trees");
  std::vector<Link> links;
  std::vector<LinkJoint> sorted;
  for (const int link : order) {
    links.push_back(robot.links[link]);
    LinkJoint joint;
    joint.kind = LinkJoint::Kind::floating;
    if (joint_of[link] >= 0) joint = joints[joint_of[link]];
    joint.parent = joint.parent < 0 ? -1 : place[joint.parent];
    joint.child = static_cast<int>(links.size()) - 1;
    sorted.push_back(std::move(joint));
  }
  for (auto& [a, b] : robot.no_contact) {
    a = place[a];
    b = place[b];
  }
  robot.links = std::move(links);
  robot.joints = std::move(sorted);
}

Robot merged(Robot robot) {
  const int count = static_cast<int>(robot.links.size());
  std::vector<int> owner(static_cast<std::size_t>(count)), kept;
  std::vector<Pose> in_owner(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const LinkJoint& joint = robot.joints[i];
    const bool joined = joint.kind == LinkJoint::Kind::fixed && joint.parent >= 0;
    owner[i] = joined ? owner[joint.parent] : i;
    if (!joined) {
      kept.push_back(i);
      continue;
    }
    in_owner[i] = in_owner[joint.parent] * joint.place;
    Link& whole = robot.links[owner[i]];
    if (whole.mass == 0 && whole.shapes.empty() && !whole.fixed && whole.name != "world")
      whole.name = robot.links[i].name;
    add(whole, robot.links[i], in_owner[i]);
  }
  Robot result;
  result.name = robot.name;
  result.gravity = robot.gravity;
  result.left_out = std::move(robot.left_out);
  std::vector<int> place(static_cast<std::size_t>(count), -1);
  double lightest = 0;
  for (const int i : kept) {
    place[i] = static_cast<int>(result.links.size());
    if (const double mass = robot.links[i].mass; mass > 0) lightest = lightest > 0 ? std::min(lightest, mass) : mass;
    result.links.push_back(std::move(robot.links[i]));
    LinkJoint joint = robot.joints[i];
    joint.child = place[i];
    if (joint.parent >= 0) {
      joint.place = in_owner[joint.parent] * joint.place;
      joint.parent = place[owner[joint.parent]];
    }
    result.joints.push_back(std::move(joint));
  }
  for (const auto& [a, b] : robot.no_contact)
    if (owner[a] != owner[b]) result.no_contact.emplace_back(place[owner[a]], place[owner[b]]);
  for (Link& link : result.links) {
    if (link.fixed) continue;
    if (!(link.mass > 0)) {
      link.mass = lightest > 0 ? kLight * lightest : 1;
      link.inertia = ball(link);
      result.left_out.push_back(
          fmt::format("link {} has no mass and moves; {:.3g} kg are taken", link.name, link.mass));
    } else
      mend_inertia(link, result.left_out);
  }
  return result;
}

std::vector<Pose> placed(const Robot& robot, const Pose& root) {
  std::vector<Pose> poses;
  for (const LinkJoint& joint : robot.joints) {
    const Pose carrier = joint.parent >= 0 ? poses[joint.parent] : root;
    Pose moved;
    if (joint.kind == LinkJoint::Kind::revolute) {
      const Quaternion turn(Eigen::AngleAxisd(joint.start, joint.axis));
      moved = {joint.anchor - turn * joint.anchor, turn};
    } else if (joint.kind == LinkJoint::Kind::prismatic) {
      moved.position = joint.start * joint.axis;
    }
    poses.push_back(carrier * joint.place * moved);
  }
  return poses;
}

void take_pose(Robot& robot, const std::map<std::string, double>& pose) {
  std::vector<std::string_view> names;
  for (const LinkJoint& joint : robot.joints)
    if (joint.kind == LinkJoint::Kind::revolute || joint.kind == LinkJoint::Kind::prismatic)
      names.push_back(joint.name);
  for (const auto& [name, value] : pose)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError("--pose", fmt::format("\"{}\" is no joint that moves; {}", name,
                                             scene::suggestion(name, names, "joints are")));
  for (LinkJoint& joint : robot.joints) {
    const auto given = pose.find(joint.name);
    const bool moves = joint.kind == LinkJoint::Kind::revolute || joint.kind == LinkJoint::Kind::prismatic;
    if (given != pose.end() && moves) {
      joint.start = given->second;
      if (joint.limits && !(joint.start >= joint.limits->first && joint.start <= joint.limits->second))
        throw InputError("--pose", fmt::format("{} = {} is beyond the limits {} and {} of the joint", joint.name,
                                               joint.start, joint.limits->first, joint.limits->second));
    } else if (joint.limits && moves && (joint.start < joint.limits->first || joint.start > joint.limits->second)) {
      joint.start = 0.5 * (joint.limits->first + joint.limits->second);
      robot.left_out.push_back(
          fmt::format("joint {}: 0 is beyond its limits; it starts between them, at {:.6g}", joint.name, joint.start));
    }
  }
}

}  // namespace carom::robots

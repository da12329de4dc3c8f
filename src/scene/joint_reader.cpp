#include "scene/joint_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/words.h"

namespace carom::scene {
namespace {

/// The words of a scene for joints; a rod is a distance joint, a pendulum one to a point of the world.
enum class JointType { fixed, revolute, prismatic, spherical, distance, rod, pendulum };
constexpr std::array<std::string_view, 7> words_of(JointType) {
  return {"fixed", "revolute", "prismatic", "spherical", "distance", "rod", "pendulum"};
}

constexpr std::array<std::string_view, 8> kJointKeys = {"name", "type", "bodies", "body",
                                                        "at",   "axis", "points", "length"};
constexpr std::array<std::string_view, 7> kSpringKeys = {"name", "bodies", "body", "points", "k", "c", "rest"};
constexpr std::array<std::string_view, 7> kTorsionKeys = {"name", "bodies", "body", "axis", "k", "c", "rest"};

Anchor anchored(const Draft& draft, int body, const Vector3& world) {
  return {body, draft.pose(body).to_local(world)};
}

Vector3 origin_of(const Draft& draft, int body) {
  return draft.pose(body).position;
}

/// `bodies` = ["a", "b"], where one may be "world", or `body` = "b" for a body and the world.
struct Two {
  int a = -1, b = -1;
  Field place;
};
Two read_two(const Draft& draft, const Field& table) {
  require_not_both({{table}}, "bodies", "body");
  if (const std::optional<Field> body = member(table, "body")) {
    Two two{-1, read_body_name(draft, *body), *body};
    if (two.b < 0) fail(*body, "= \"world\" is no body; the world is the other end already");
    return two;
  }
  const Field list = required_member(table, "bodies", "the two that it connects, such as [\"world\", \"ball\"]");
  const std::size_t count = entries_of(list, "a list of two bodies").size();
  if (count != 2) fail(list, fmt::format("has {} entries; it connects two bodies", count));
  Two two{read_body_name(draft, entry(list, 0)), read_body_name(draft, entry(list, 1)), list};
  if (two.a == two.b) fail(list, "names the same body twice; it connects two");
  return two;
}

/// `points` [[..], [..]], or the centres of mass where nothing is given; the world has none.
std::array<Anchor, 2> read_ends(const Draft& draft, const Field& table, const Two& two) {
  std::array<Anchor, 2> ends = {Anchor{two.a}, Anchor{two.b}};
  const std::optional<Field> points = member(table, "points");
  if (!points) {
    if (two.a < 0 || two.b < 0)
      required_member(table, "points", "where it is attached, [[x, y], [x, y]] at the start; the world has no centre");
    return ends;
  }
  const std::size_t count = entries_of(*points, "a list of two points").size();
  if (count != 2) fail(*points, fmt::format("has {} entries; expected two points", count));
  for (std::size_t i = 0; i < 2; ++i)
    ends[i] = anchored(draft, ends[i].body, read_vector(entry(*points, i), draft.dimension()));
  return ends;
}

double distance(const Draft& draft, const Anchor& a, const Anchor& b) {
  return (draft.pose(b.body).to_world(b.point) - draft.pose(a.body).to_world(a.point)).norm();
}

std::string name_of(const Field& table, std::string_view kind, std::size_t number) {
  const std::optional<Field> name = member(table, "name");
  return name ? line_of_text(*name) : fmt::format("{} {}", kind, number + 1);
}

void require_for(const Draft& draft, const Field& field, JointType type) {
  const Dimension dimension = draft.dimension();
  const bool turning = type == JointType::revolute || type == JointType::spherical || type == JointType::pendulum;
  if (dimension == Dimension::line && (turning || type == JointType::prismatic))
    fail(field,
         fmt::format("= {} makes no sense on a line; there are \"fixed\" and \"distance\"", in_quotes(word(type))));
  if (dimension == Dimension::plane && type == JointType::spherical)
    fail(field, "= \"spherical\" is for space; in the plane it is \"revolute\"");
}

Vector3 read_axis(const Draft& draft, const Field& table, JointType type, const Two& two) {
  const std::optional<Field> axis = member(table, "axis");
  const bool needed =
      type == JointType::prismatic || (type == JointType::revolute && draft.dimension() == Dimension::space);
  if (axis && !needed)
    fail(*axis, fmt::format("is given, but a {} joint {} has none", word(type),
                            draft.dimension() == Dimension::plane ? "in the plane" : "of this scene"));
  if (!needed) return Vector3::UnitZ();
  const Field given = required_member(table, "axis", "its direction in the world at the start");
  return draft.pose(two.a).orientation.conjugate() * read_direction(given, draft.dimension());
}

/// A joint whose two anchors are at the same place.
Joint read_closed(const Draft& draft, const Field& table, JointType type) {
  const Two two = read_two(draft, table);
  for (const std::string_view key : {"points", "length"})
    if (const std::optional<Field> field = member(table, key))
      fail(*field, fmt::format("is for distance joints; a {} joint is placed with at", word(type)));
  const std::optional<Field> at = member(table, "at");
  if (!at && (type == JointType::revolute || type == JointType::spherical))
    required_member(table, "at", "where it is at the start");
  const int owner = two.b >= 0 ? two.b : two.a;
  const Vector3 place = at ? read_vector(*at, draft.dimension()) : origin_of(draft, owner);
  Joint joint;
  joint.kind = static_cast<Joint::Kind>(type);
  joint.a = anchored(draft, two.a, place);
  joint.b = anchored(draft, two.b, place);
  joint.axis = read_axis(draft, table, type, two);
  joint.relative = draft.pose(two.a).orientation.conjugate() * draft.pose(two.b).orientation;
  return joint;
}

void read_distance(Draft& draft, const Field& table, JointType type, std::string name) {
  for (const std::string_view key :
       {std::string_view("axis"), std::string_view(type == JointType::pendulum ? "points" : "at")})
    if (const std::optional<Field> field = member(table, key))
      fail(*field, fmt::format("is not for a {} joint; {}", word(type),
                               type == JointType::pendulum ? "it hangs from the point at" : "it connects two points"));
  const Two two = read_two(draft, table);
  std::array<Anchor, 2> ends;
  if (type == JointType::pendulum) {
    const Field at = required_member(table, "at", "the point of the world that it hangs from");
    if (two.a >= 0 && two.b >= 0) fail(two.place, "names two bodies; a pendulum hangs from the world");
    ends = {Anchor{-1, read_vector(at, draft.dimension())}, Anchor{std::max(two.a, two.b)}};
  } else {
    ends = read_ends(draft, table, two);
  }
  const std::optional<Field> length = member(table, "length");
  add_distance(draft, table, std::move(name), ends[0], ends[1],
               length ? std::optional(read_positive(*length)) : std::nullopt);
}

void read_joint(Draft& draft, const Field& table) {
  require_known_keys(table, kJointKeys);
  const Field type_field = required_member(table, "type", "one of " + listed(words_of(JointType{})));
  const JointType type = value_of<JointType>(type_field);
  require_for(draft, type_field, type);
  std::string name = name_of(table, "joint", draft.scene.description.joints.size());
  if (type >= JointType::distance) return read_distance(draft, table, type, std::move(name));
  Joint joint = read_closed(draft, table, type);
  joint.name = std::move(name);
  draft.scene.description.joints.push_back(std::move(joint));
  draft.scene.origins.joints.push_back(table.path);
}

double optional_damping(const Field& table) {
  const std::optional<Field> c = member(table, "c");
  return c ? read_not_negative(*c) : 0;
}

/// How far b is turned against a about an axis fixed in a.
double angle_about(const Quaternion& relative, const Vector3& axis) {
  return 2 * std::atan2(relative.vec().dot(axis), relative.w());
}

}  // namespace

void add_distance(Draft& draft, const Field& origin, std::string name, const Anchor& a, const Anchor& b,
                  std::optional<double> length) {
  const double present = distance(draft, a, b);
  Joint joint;
  joint.name = std::move(name);
  joint.kind = Joint::Kind::distance;
  joint.a = a;
  joint.b = b;
  joint.length = length.value_or(present);
  constexpr double exact = 1e-9;
  if (!(present > 0))
    fail(origin, "connects two points at the same place; a distance is > 0 (or use a revolute joint)");
  if (std::abs(joint.length - present) > exact * joint.length)
    fail(origin, fmt::format("has length {}, but its ends are {} apart at the start", joint.length, present));
  draft.scene.description.joints.push_back(std::move(joint));
  draft.scene.origins.joints.push_back(origin.path);
}

void read_joints(Draft& draft, const Field& root) {
  for (const Field& table : tables_of(root, "joint")) read_joint(draft, table);
}

void read_springs(Draft& draft, const Field& root) {
  for (const Field& table : tables_of(root, "spring")) {
    require_known_keys(table, kSpringKeys);
    const std::array<Anchor, 2> ends = read_ends(draft, table, read_two(draft, table));
    Spring spring;
    spring.name = name_of(table, "spring", draft.scene.description.springs.size());
    spring.a = ends[0];
    spring.b = ends[1];
    spring.k = read_not_negative(required_member(table, "k", "its stiffness [N/m]"));
    spring.c = optional_damping(table);
    const std::optional<Field> rest = member(table, "rest");
    spring.rest = rest ? read_not_negative(*rest) : distance(draft, ends[0], ends[1]);
    draft.scene.description.springs.push_back(std::move(spring));
    draft.scene.origins.springs.push_back(table.path);
  }
}

void read_torsion_springs(Draft& draft, const Field& root) {
  for (const Field& table : tables_of(root, "torsion")) {
    require_known_keys(table, kTorsionKeys);
    if (draft.dimension() == Dimension::line)
      fail(table, "is for the plane and for space; bodies on a line do not turn");
    const Two two = read_two(draft, table);
    TorsionSpring spring;
    spring.name = name_of(table, "torsion", draft.scene.description.torsion_springs.size());
    spring.a = two.a;
    spring.b = two.b;
    spring.axis = read_axis(draft, table, JointType::revolute, two);
    spring.k = read_not_negative(required_member(table, "k", "its stiffness [N m/rad]"));
    spring.c = optional_damping(table);
    const Quaternion relative = draft.pose(two.a).orientation.conjugate() * draft.pose(two.b).orientation;
    const std::optional<Field> rest = member(table, "rest");
    spring.rest = rest ? radians(value_of<double>(*rest)) : angle_about(relative, spring.axis);
    draft.scene.description.torsion_springs.push_back(std::move(spring));
    draft.scene.origins.torsion_springs.push_back(table.path);
  }
}

}  // namespace carom::scene

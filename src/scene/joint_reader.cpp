#include "carom/scene/joint_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/scene/drive_reader.h"
#include "carom/scene/keys.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

/// A joint as scenes name it: where its anchors are, in which dimensions it makes sense, what must be said of it.
struct JointType {
  enum class Anchors { together, apart, below_a_point };
  enum class Axis { none, in_space, always };
  std::string_view name;
  Joint::Kind kind;
  Anchors anchors = Anchors::together;
  bool on_line = false, in_plane = true;
  bool needs_place = false;
  Axis axis = Axis::none;

  bool has_axis(Dimension dimension) const {
    return axis == Axis::always || (axis == Axis::in_space && dimension == Dimension::space);
  }
};
using Kind = Joint::Kind;
constexpr JointType kRevolute = {
    .name = "revolute", .kind = Kind::revolute, .needs_place = true, .axis = JointType::Axis::in_space};
constexpr std::array kJointTypes = {
    JointType{.name = "fixed", .kind = Kind::fixed, .on_line = true},
    kRevolute,
    JointType{.name = "prismatic", .kind = Kind::prismatic, .axis = JointType::Axis::always},
    JointType{.name = "spherical", .kind = Kind::spherical, .in_plane = false, .needs_place = true},
    JointType{.name = "distance", .kind = Kind::distance, .anchors = JointType::Anchors::apart, .on_line = true},
    JointType{.name = "rod", .kind = Kind::distance, .anchors = JointType::Anchors::apart, .on_line = true},
    JointType{.name = "pendulum", .kind = Kind::distance, .anchors = JointType::Anchors::below_a_point},
};

std::vector<std::string_view> joint_names() {
  std::vector<std::string_view> names;
  names.reserve(std::size(kJointTypes));
  for (const JointType& type : kJointTypes) names.push_back(type.name);
  return names;
}

constexpr std::array<std::string_view, 8> kPlaceKeys = {"name", "type", "bodies", "body",
                                                        "at",   "axis", "points", "length"};

std::vector<std::string_view> joint_keys() {
  std::vector<std::string_view> keys(kPlaceKeys.begin(), kPlaceKeys.end());
  keys.insert(keys.end(), kDriveKeys.begin(), kDriveKeys.end());
  return keys;
}

constexpr std::array<Key<Spring>, 7> kSpringKeys = {{
    {"name", "in results"},
    {"bodies", "the two that it connects"},
    {"body", "the one that it connects with the world"},
    {"points", "where it is attached at the start [m]"},
    {"k", "its stiffness [N/m]", into<&Spring::k, read_not_negative>, true},
    {"c", "its damping [N s/m]", into<&Spring::c, read_not_negative>},
    {"rest", "its length without force [m]", into<&Spring::rest, read_not_negative>},
}};
constexpr std::array<Key<TorsionSpring>, 7> kTorsionKeys = {{
    {"name", "in results"},
    {"bodies", "the two that it connects"},
    {"body", "the one that it connects with the world"},
    {"axis", "its direction in the world at the start"},
    {"k", "its stiffness [N m/rad]", into<&TorsionSpring::k, read_not_negative>, true},
    {"c", "its damping [N m s/rad]", into<&TorsionSpring::c, read_not_negative>},
    {"rest", "the angle without torque [degrees]",
     [](const Field& field, TorsionSpring& spring) { spring.rest = radians(value_of<double>(field)); }},
}};

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

void require_for(Dimension dimension, const Field& field, const JointType& type) {
  if (dimension == Dimension::line && !type.on_line)
    fail(field,
         fmt::format("= {} makes no sense on a line; there are \"fixed\" and \"distance\"", in_quotes(type.name)));
  if (dimension == Dimension::plane && !type.in_plane)
    fail(field,
         fmt::format("= {} is for space; in the plane it is {}", in_quotes(type.name), in_quotes(kRevolute.name)));
}

Vector3 read_axis(const Draft& draft, const Field& table, const JointType& type, const Two& two) {
  const std::optional<Field> axis = member(table, "axis");
  const bool needed = type.has_axis(draft.dimension());
  if (axis && !needed)
    fail(*axis, fmt::format("is given, but a {} joint {} has none", type.name,
                            draft.dimension() == Dimension::plane ? "in the plane" : "of this scene"));
  if (!needed) return Vector3::UnitZ();
  const Field given = required_member(table, "axis", "its direction in the world at the start");
  return draft.pose(two.a).orientation.conjugate() * read_direction(given, draft.dimension());
}

/// A joint whose two anchors are at the same place.
Joint read_closed(const Draft& draft, const Field& table, const JointType& type) {
  const Two two = read_two(draft, table);
  for (const std::string_view key : {"points", "length"})
    if (const std::optional<Field> field = member(table, key))
      fail(*field, fmt::format("is for distance joints; a {} joint is placed with at", type.name));
  const std::optional<Field> at = member(table, "at");
  if (!at && type.needs_place) required_member(table, "at", "where it is at the start");
  const int owner = two.b >= 0 ? two.b : two.a;
  const Vector3 place = at ? read_vector(*at, draft.dimension()) : origin_of(draft, owner);
  Joint joint;
  joint.kind = type.kind;
  joint.a = anchored(draft, two.a, place);
  joint.b = anchored(draft, two.b, place);
  joint.axis = read_axis(draft, table, type, two);
  joint.relative = draft.pose(two.a).orientation.conjugate() * draft.pose(two.b).orientation;
  return joint;
}

void read_distance(Draft& draft, const Field& table, const JointType& type, std::string name) {
  Joint none;
  none.kind = Joint::Kind::distance;
  read_drive(draft, table, none);
  const bool hangs = type.anchors == JointType::Anchors::below_a_point;
  for (const std::string_view key : {std::string_view("axis"), std::string_view(hangs ? "points" : "at")})
    if (const std::optional<Field> field = member(table, key))
      fail(*field, fmt::format("is not for a {} joint; {}", type.name,
                               hangs ? "it hangs from the point at" : "it connects two points"));
  const Two two = read_two(draft, table);
  std::array<Anchor, 2> ends;
  if (hangs) {
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
  require_known_keys(table, joint_keys());
  const std::vector<std::string_view> names = joint_names();
  const Field type_field = required_member(table, "type", "one of " + listed(names));
  const JointType& type = kJointTypes[read_word(type_field, names)];
  require_for(draft.dimension(), type_field, type);
  std::string name = name_of(table, "joint", draft.scene.description.joints.size());
  if (type.anchors != JointType::Anchors::together) return read_distance(draft, table, type, std::move(name));
  Joint joint = read_closed(draft, table, type);
  joint.name = std::move(name);
  read_drive(draft, table, joint);
  draft.scene.description.joints.push_back(std::move(joint));
  draft.scene.origins.joints.push_back(table.path);
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
    require_known_keys(table, names_of(kSpringKeys));
    const std::array<Anchor, 2> ends = read_ends(draft, table, read_two(draft, table));
    Spring spring;
    spring.name = name_of(table, "spring", draft.scene.description.springs.size());
    spring.a = ends[0];
    spring.b = ends[1];
    spring.rest = distance(draft, ends[0], ends[1]);
    read_keys(table, kSpringKeys, spring);
    draft.scene.description.springs.push_back(std::move(spring));
    draft.scene.origins.springs.push_back(table.path);
  }
}

void read_torsion_springs(Draft& draft, const Field& root) {
  for (const Field& table : tables_of(root, "torsion")) {
    require_known_keys(table, names_of(kTorsionKeys));
    if (draft.dimension() == Dimension::line)
      fail(table, "is for the plane and for space; bodies on a line do not turn");
    const Two two = read_two(draft, table);
    TorsionSpring spring;
    spring.name = name_of(table, "torsion", draft.scene.description.torsion_springs.size());
    spring.a = two.a;
    spring.b = two.b;
    spring.axis = read_axis(draft, table, kRevolute, two);
    const Quaternion relative = draft.pose(two.a).orientation.conjugate() * draft.pose(two.b).orientation;
    spring.rest = angle_about(relative, spring.axis);
    read_keys(table, kTorsionKeys, spring);
    draft.scene.description.torsion_springs.push_back(std::move(spring));
    draft.scene.origins.torsion_springs.push_back(table.path);
  }
}

std::string_view meaning_of_spring_key(std::string_view key) {
  return meaning_in(kSpringKeys, key);
}

std::string_view meaning_of_torsion_key(std::string_view key) {
  return meaning_in(kTorsionKeys, key);
}

}  // namespace carom::scene

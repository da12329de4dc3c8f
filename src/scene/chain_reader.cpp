#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/scene/body_reader.h"
#include "carom/scene/joint_reader.h"
#include "carom/scene/repetition_reader.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

/// From where to where a body reaches along a direction, measured from the origin of the frame in which it was written.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
};

Extent extent_along(const Vector3& direction, const MadeBody& made, const Quaternion& orientation) {
  const Quaternion to_x = rotation_between(direction, Vector3::UnitX());
  const Pose frame{to_x * orientation * made.centre, to_x * orientation};
  Extent extent;
  for (const geometry::Part& part : made.body.parts) {
    const geometry::Bounds box = geometry::bounds(part.shape, frame * part.pose);
    extent.low = std::min(extent.low, box.low.x());
    extent.high = std::max(extent.high, box.high.x());
  }
  return made.body.parts.empty() ? Extent{0, 0} : extent;
}

std::vector<std::string_view> chain_keys() {
  std::vector<std::string_view> keys = body_keys();
  keys.insert(keys.end(), {"name", "count", "direction", "gap", "spacing", "first", "last", "member", "ratio", "string",
                           "lift", "hinge"});
  return keys;
}

Given given_for(const Field& chain, std::size_t i, std::size_t count) {
  Given given;
  const std::optional<Field> first = member(chain, "first"), last = member(chain, "last");
  for (const std::optional<Field>& table : {first, last})
    if (table) require_single_body_keys(*table);
  if (first && i == 0) given.tables.push_back(*first);
  if (last && i + 1 == count) given.tables.push_back(*last);
  if (const std::optional<Field> own = member_table(chain, i, count)) given.tables.push_back(*own);
  given.tables.push_back(chain);
  return given;
}

/// The first bodies of a chain on strings, swung aside against the direction of the chain.
struct Lift {
  std::size_t count = 0;
  double angle = 0;  // [rad]
};

Lift read_lift(const Field& chain, std::size_t bodies) {
  const std::optional<Field> table = member(chain, "lift");
  if (!table) return {};
  if (!member(chain, "string")) fail(*table, "needs strings; give the chain string = ... [m]");
  require_known_keys(*table, std::array<std::string_view, 2>{"count", "angle"});
  const std::optional<Field> count = member(*table, "count");
  const Field angle = required_member(*table, "angle", "how far the strings are swung aside [degrees]");
  return {count ? read_count(*count, bodies) : 1, radians(value_of<double>(angle))};
}

class ChainReader {
 public:
  ChainReader(Draft& draft, const Field& chain) : draft_(draft), chain_(chain), dimension_(draft.dimension()) {
    require_known_keys(chain, chain_keys());
    count_ = read_count(required_member(chain, "count", "how many bodies"), draft.most_bodies);
    name_ = line_of_text(required_member(chain, "name", "the bodies are called after it, such as \"ball 1\""));
    require_not_both(Given{{chain}}, "gap", "spacing");
    if (const std::optional<Field> gap = member(chain, "gap")) gap_ = read_not_negative(*gap);
    if (const std::optional<Field> spacing = member(chain, "spacing")) spacing_ = read_positive(*spacing);
    if (const std::optional<Field> ratio = member(chain, "ratio")) ratio_ = read_positive(*ratio);
    if (const std::optional<Field> direction = member(chain, "direction"))
      direction_ = read_direction(*direction, dimension_);
    if (const std::optional<Field> length = member(chain, "string")) read_string(*length);
    lift_ = read_lift(chain, count_);
    if (const std::optional<Field> hinge = member(chain, "hinge")) {
      if (dimension_ != Dimension::plane) fail(*hinge, "is for the plane; elsewhere give each body its [[joint]]");
      hinge_ = read_vector(*hinge, dimension_);
    }
  }

  void add_bodies() {
    const int first = static_cast<int>(draft_.bodies());
    place_ = read_vector(Given{{chain_}}, "position", dimension_);
    double scale = 1;
    for (std::size_t i = 0; i < count_; ++i, scale *= ratio_) add(i, scale);
    const Field name = *member(chain_, "name");
    add_group(draft_, name, name_, {first, static_cast<int>(draft_.bodies()) - 1});
  }

 private:
  void read_string(const Field& length) {
    if (dimension_ == Dimension::line) fail(length, "is for the plane and for space; nothing hangs on a line");
    if (std::abs(direction_.dot(upwards(dimension_))) > 1e-12)
      fail(length, "needs a chain with a horizontal direction, so that each string is straight above its body");
    string_ = read_positive(length);
  }

  void add(std::size_t i, double scale) {
    const Given given = given_for(chain_, i, count_);
    MadeBody made = make_body(draft_, given, fmt::format("{} {}", name_, i + 1), scale);
    const Quaternion orientation = read_orientation(given, dimension_);
    const Extent extent = extent_along(direction_, made, orientation);
    if (i > 0) place_ += spacing_.value_or(reach_ + gap_ - extent.low) * direction_;
    reach_ = extent.high;
    Pose pose{place_, orientation};
    if (i < lift_.count) pose.position += swing();
    Start start = read_start(draft_, given, pose);
    if (hinge_ && !given.find("velocity"))  // what turns about the hinge moves so
      start.velocity = start.angular_velocity.cross(orientation * (made.centre - *hinge_));
    stand(made, given, start);
    add_body(draft_, chain_, std::move(made), start);
    if (string_) hang(i);
    if (hinge_) add_hinge(i, pose);
  }

  /// From straight below the upper end of the string to where the lifted body is.
  Vector3 swing() const {
    const Vector3 up = upwards(dimension_);
    return *string_ * ((1 - std::cos(lift_.angle)) * up - std::sin(lift_.angle) * direction_);
  }

  void hang(std::size_t i) {
    const int body = static_cast<int>(draft_.bodies()) - 1;
    Vector3 below = draft_.pose(body).position;
    if (i < lift_.count) below -= swing();
    const Anchor above{-1, below + *string_ * upwards(dimension_)};
    add_distance(draft_, chain_, fmt::format("string {}", i + 1), above, {body}, string_);
  }

  void add_hinge(std::size_t i, const Pose& pose) {
    const int body = static_cast<int>(draft_.bodies()) - 1;
    const Vector3 point = pose.to_world(*hinge_);
    Joint joint;
    joint.name = fmt::format("hinge {}", i + 1);
    joint.kind = Joint::Kind::revolute;
    joint.a = {-1, point};
    joint.b = {body, draft_.pose(body).to_local(point)};
    joint.relative = draft_.pose(body).orientation;
    draft_.scene.description.joints.push_back(std::move(joint));
    draft_.scene.origins.joints.push_back(chain_.path);
  }

  Draft& draft_;
  const Field& chain_;
  Dimension dimension_;
  std::string name_;
  std::size_t count_ = 0;
  double gap_ = 0, ratio_ = 1;
  Vector3 direction_ = Vector3::UnitX();
  std::optional<double> spacing_;  // [m] between the origins of neighbours, instead of a gap
  std::optional<double> string_;   // [m]
  std::optional<Vector3> hinge_;   // the point about which each body turns, in the frame in which it was written
  Lift lift_;
  Vector3 place_ = Vector3::Zero();  // of the body that is added, without lift
  double reach_ = 0;                 // of the last body along the direction
};

}  // namespace

void read_chains(Draft& draft, const Field& root) {
  for (const Field& table : tables_of(root, "chain")) ChainReader(draft, table).add_bodies();
}

}  // namespace carom::scene

#include "carom/scene/motion_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/scene/beside.h"
#include "carom/scene/csv.h"
#include "carom/scene/error.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};

Course read_formula(const Field& field) {
  try {
    return Course::formula(*field.node->text(), field.document->constants);
  } catch (const InputError& error) {
    fail_formula(field, error);
  }
}

Course read_record(const Field& field) {
  require_known_keys(field, std::array<std::string_view, 2>{"file", "column"});
  const Field file = required_member(field, "file", "the record beside the scene");
  const std::optional<Field> column = member(field, "column");
  const FileBeside record = read_beside(file);
  const Csv csv = parse_csv(record.text, record.path);
  const std::size_t index = csv.column_index(column, file);
  std::vector<double> times, values;
  for (const std::vector<double>& row : csv.rows) {
    times.push_back(row[0]);
    values.push_back(row[index]);
  }
  try {
    return Course::table(std::move(times), std::move(values));
  } catch (const InputError& error) {
    fail(file, fmt::format("= {}: {} {}", in_quotes(*file.node->text()), error.place, error.rule));
  }
}

std::string in_words(const Field& course) {
  if (const double* number = course.node->number()) return fmt::format("{}", *number);
  return course.node->text() ? in_quotes(*course.node->text()) : "the record";
}

void require_finite(const Draft& draft, const Field& field, const Course& course) {
  constexpr int samples = 32;
  for (int i = 0; i <= samples; ++i) {
    const double t = draft.scene.duration * i / samples;
    const Jet jet = course.at(t);
    if (std::isfinite(jet.value) && std::isfinite(jet.rate) && std::isfinite(jet.acceleration)) continue;
    fail(field, fmt::format("= {} is {} at t = {}, its rates {} and {}; all must be finite during the run",
                            in_words(field), jet.value, t, jet.rate, jet.acceleration));
  }
}

std::array<Course, 3> read_course_vector(const Draft& draft, const Field& field, std::size_t count) {
  std::array<Course, 3> courses;
  if (count == 1 && !field.node->array()) {
    courses[0] = read_course(draft, field);
    return courses;
  }
  const std::size_t given = entries_of(field, fmt::format("a list of {} courses", count)).size();
  if (given != count) fail(field, fmt::format("has {} entries; it must have {}", given, count));
  for (std::size_t i = 0; i < count; ++i) courses[i] = read_course(draft, entry(field, i));
  return courses;
}

/// Where a velocity leads from the start on: its integral.
Course integral_of(const Draft& draft, const Field& field, const Course& velocity) {
  try {
    return Course::integral(velocity, draft.scene.duration);
  } catch (const InputError& error) {
    fail(field, fmt::format("= {} {}", in_words(field), error.rule));
  }
}

Course read_integral(const Draft& draft, const Field& field, const Course& velocity) {
  Course course = integral_of(draft, field, velocity);
  require_finite(draft, field, course);
  return course;
}

void read_velocity(const Draft& draft, const Field& field, Prescribed& motion) {
  const auto axes = static_cast<std::size_t>(draft.dimension());
  const std::array<Course, 3> velocity = read_course_vector(draft, field, axes);
  for (std::size_t i = 0; i < axes; ++i)
    if (!velocity[i].is_constant() || velocity[i].at(0).value != 0)
      motion.position[i] = read_integral(draft, field.node->array() ? entry(field, i) : field, velocity[i])
                               .plus(motion.position[i].at(0).value);
}

/// In the plane a course. In space three numbers, or {axis, rate} where the rate is a course.
void read_angular_velocity(const Draft& draft, const Given& given, Prescribed& motion) {
  const std::optional<Field> field = given.find("angular_velocity");
  if (!field) return;
  if (draft.dimension() == Dimension::plane) {
    motion.angle = read_integral(draft, *field, read_course(draft, *field));
  } else if (draft.dimension() == Dimension::space && field->node->object()) {
    require_known_keys(*field, std::array<std::string_view, 2>{"axis", "rate"});
    motion.axis =
        read_direction(required_member(*field, "axis", "the axis of the turning [x, y, z]"), draft.dimension());
    const Field rate = required_member(*field, "rate", "how fast it turns about its axis [rad/s], a course");
    motion.angle = read_integral(draft, rate, read_course(draft, rate));
  } else if (const Vector3 angular = scene::read_angular_velocity(given, draft.dimension()); angular.norm() > 0) {
    motion.axis = angular.normalized();
    motion.angle = read_integral(draft, *field, angular.norm());
  }
}

void read_turning(const Draft& draft, const Field& courses, Prescribed& motion) {
  const std::optional<Field> angle = member(courses, "angle"), axis = member(courses, "axis");
  const Dimension dimension = draft.dimension();
  if (angle && dimension == Dimension::line)
    fail(*angle, "is for the plane and for space; walls on a line do not turn");
  if (axis && dimension != Dimension::space) fail(*axis, "is for space; in the plane bodies turn about z");
  if (axis) motion.axis = read_direction(*axis, dimension);
  if (angle && !axis && dimension == Dimension::space)
    required_member(courses, "axis", "the axis of the turning [x, y, z]");
  if (angle) motion.angle = read_course(draft, *angle).times(radians(1));
}

void read_courses(const Draft& draft, const Field& courses, Prescribed& motion) {
  require_known_keys(courses, std::array<std::string_view, 5>{"x", "y", "z", "angle", "axis"});
  const auto dimension = static_cast<std::size_t>(draft.dimension());
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<Field> course = member(courses, kAxes[i]);
    if (!course) continue;
    if (i >= dimension)
      fail(*course, fmt::format("is a direction that a scene of dimension {} does not have", dimension));
    motion.position[i] = read_course(draft, *course).plus(motion.position[i].at(0).value);
  }
  read_turning(draft, courses, motion);
}

Load read_load(const Draft& draft, const Field& table) {
  const Dimension dimension = draft.dimension();
  Load load;
  const Field body = required_member(table, "body", "the body that it acts on");
  load.at.body = read_body_name(draft, body);
  if (load.at.body < 0) fail(body, "= \"world\" does not move; a force acts on a body");
  if (const std::optional<Field> at = member(table, "at"))
    load.at.point = read_vector(*at, dimension) - draft.centres[static_cast<std::size_t>(load.at.body)];
  const std::optional<Field> force = member(table, "force"), torque = member(table, "torque");
  if (!force && !torque) fail(table, "has neither force nor torque; give one of them or both");
  if (force) load.force = read_course_vector(draft, *force, static_cast<std::size_t>(dimension));
  if (torque && dimension == Dimension::line)
    fail(*torque, "is for the plane and for space; bodies on a line do not turn");
  if (torque && dimension == Dimension::plane) load.torque[2] = read_course(draft, *torque);
  if (torque && dimension == Dimension::space) load.torque = read_course_vector(draft, *torque, 3);
  return load;
}

}  // namespace

Course read_course(const Draft& draft, const Field& field) {
  if (const double* number = field.node->number()) return *number;
  if (!field.node->text() && !field.node->object())
    fail_expected(field, "a number, a formula of t, or a record {file = \"shaker.csv\", column = \"y\"}");
  Course course = field.node->text() ? read_formula(field) : read_record(field);
  require_finite(draft, field, course);
  return course;
}

Prescribed read_motion(const Draft& draft, const Given& given) {
  Prescribed motion;
  const Pose pose = read_pose(given, draft.dimension());
  for (std::size_t i = 0; i < 3; ++i) motion.position[i] = pose.position[static_cast<Index>(i)];
  motion.start = pose.orientation;
  require_not_both(given, "velocity", "motion");
  require_not_both(given, "angular_velocity", "motion");
  if (const std::optional<Field> courses = given.find("motion")) read_courses(draft, *courses, motion);
  if (const std::optional<Field> velocity = given.find("velocity")) read_velocity(draft, *velocity, motion);
  read_angular_velocity(draft, given, motion);
  return motion;
}

Start start_of(const Prescribed& prescribed) {
  Start start;
  for (std::size_t i = 0; i < 3; ++i) {
    const Jet jet = prescribed.position[i].at(0);
    start.pose.position[static_cast<Index>(i)] = jet.value;
    start.velocity[static_cast<Index>(i)] = jet.rate;
  }
  const Jet angle = prescribed.angle.at(0);
  start.pose.orientation = Eigen::AngleAxisd(angle.value, prescribed.axis) * prescribed.start;
  start.angular_velocity = angle.rate * prescribed.axis;
  return start;
}

void read_loads(Draft& draft, const Field& root) {
  for (const Field& table : tables_of(root, "force")) {
    require_known_keys(table, std::array<std::string_view, 4>{"body", "force", "torque", "at"});
    draft.scene.description.loads.push_back(read_load(draft, table));
    draft.scene.origins.loads.push_back(table.path);
  }
}

}  // namespace carom::scene

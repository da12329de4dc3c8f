#include "carom/scene/motion_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/scene/beside.h"
#include "carom/scene/csv.h"
#include "carom/scene/error.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::size_t kMostBodiesListed = 20;
constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};

TimeFunction read_formula(const Field& field) {
  try {
    return TimeFunction::formula(*field.node->text(), field.document->constants);
  } catch (const InputError& error) {
    fail_formula(field, error);
  }
}

/// `drift = "removed"`
bool removes_drift(const Field& record) {
  const std::optional<Field> drift = member(record, "drift");
  return drift && read_word(*drift, std::array<std::string_view, 2>{"kept", "removed"}) == 1;
}

TimeFunction read_record(const Field& field) {
  require_known_keys(field, std::array<std::string_view, 4>{"file", "column", "scale", "drift"});
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
  const std::optional<Field> scale = member(field, "scale");
  try {
    const TimeFunction given = TimeFunction::table(std::move(times), std::move(values));
    return (removes_drift(field) ? TimeFunction::without_drift(given) : given)
        .times(scale ? value_of<double>(*scale) : 1);
  } catch (const InputError& error) {
    fail(file, fmt::format("= {}: {} {}", in_quotes(*file.node->text()), error.place, error.rule));
  }
}

std::string in_words(const Field& time_function) {
  if (const double* number = time_function.node->number()) return fmt::format("{}", *number);
  return time_function.node->text() ? in_quotes(*time_function.node->text()) : "the record";
}

void require_finite(const Draft& draft, const Field& field, const TimeFunction& time_function) {
  constexpr int samples = 32;
  for (int i = 0; i <= samples; ++i) {
    const double t = draft.scene.clock + draft.scene.duration * i / samples;
    const Jet jet = time_function.at(t);
    if (std::isfinite(jet.value) && std::isfinite(jet.rate) && std::isfinite(jet.acceleration)) continue;
    fail(field, fmt::format("= {} is {} at t = {}, its rates {} and {}; all must be finite during the run",
                            in_words(field), jet.value, t, jet.rate, jet.acceleration));
  }
}

std::array<TimeFunction, 3> read_time_functions_of_axes(const Draft& draft, const Field& field, std::size_t count) {
  std::array<TimeFunction, 3> time_functions;
  if (count == 1 && !field.node->array()) {
    time_functions[0] = read_time_function(draft, field);
    return time_functions;
  }
  const std::size_t given = entries_of(field, fmt::format("a list of {} time functions", count)).size();
  if (given != count) fail(field, fmt::format("has {} entries; it must have {}", given, count));
  for (std::size_t i = 0; i < count; ++i) time_functions[i] = read_time_function(draft, entry(field, i));
  return time_functions;
}

/// Where a velocity leads from the start on: its integral.
TimeFunction integral_of(const Draft& draft, const Field& field, const TimeFunction& velocity) {
  try {
    return TimeFunction::integral(velocity, std::max(0.0, draft.scene.clock) + draft.scene.duration);
  } catch (const InputError& error) {
    fail(field, fmt::format("= {} {}", in_words(field), error.rule));
  }
}

TimeFunction read_integral(const Draft& draft, const Field& field, const TimeFunction& velocity) {
  TimeFunction time_function = integral_of(draft, field, velocity);
  require_finite(draft, field, time_function);
  return time_function;
}

void read_velocity(const Draft& draft, const Field& field, Prescribed& motion) {
  const auto axes = static_cast<std::size_t>(draft.dimension());
  const std::array<TimeFunction, 3> velocity = read_time_functions_of_axes(draft, field, axes);
  for (std::size_t i = 0; i < axes; ++i)
    if (!velocity[i].is_constant() || velocity[i].at(0).value != 0)
      motion.position[i] = read_integral(draft, field.node->array() ? entry(field, i) : field, velocity[i])
                               .plus(motion.position[i].at(0).value);
}

/// Walls that start from rest: the integral of the integral.
void read_acceleration(const Draft& draft, const Field& field, Prescribed& motion) {
  const auto axes = static_cast<std::size_t>(draft.dimension());
  const std::array<TimeFunction, 3> acceleration = read_time_functions_of_axes(draft, field, axes);
  for (std::size_t i = 0; i < axes; ++i) {
    if (acceleration[i].is_constant() && acceleration[i].at(0).value == 0) continue;
    const Field own = field.node->array() ? entry(field, i) : field;
    const TimeFunction velocity = integral_of(draft, own, acceleration[i]);
    motion.position[i] = read_integral(draft, own, velocity).plus(motion.position[i].at(0).value);
  }
}

/// In the plane a time function. In space three numbers, or {axis, rate} where the rate is a time function.
void read_angular_velocity(const Draft& draft, const Given& given, Prescribed& motion) {
  const std::optional<Field> field = given.find("angular_velocity");
  if (!field) return;
  if (draft.dimension() == Dimension::plane) {
    motion.angle = read_integral(draft, *field, read_time_function(draft, *field));
  } else if (draft.dimension() == Dimension::space && field->node->object()) {
    require_known_keys(*field, std::array<std::string_view, 2>{"axis", "rate"});
    motion.axis =
        read_direction(required_member(*field, "axis", "the axis of the turning [x, y, z]"), draft.dimension());
    const Field rate = required_member(*field, "rate", "how fast it turns about its axis [rad/s], a time function");
    motion.angle = read_integral(draft, rate, read_time_function(draft, rate));
  } else if (const Vector3 angular = scene::read_angular_velocity(given, draft.dimension()); angular.norm() > 0) {
    motion.axis = angular.normalized();
    motion.angle = read_integral(draft, *field, angular.norm());
  }
}

void read_turning(const Draft& draft, const Field& time_functions, Prescribed& motion) {
  const std::optional<Field> angle = member(time_functions, "angle"), axis = member(time_functions, "axis");
  const Dimension dimension = draft.dimension();
  if (angle && dimension == Dimension::line)
    fail(*angle, "is for the plane and for space; walls on a line do not turn");
  if (axis && dimension != Dimension::space) fail(*axis, "is for space; in the plane bodies turn about z");
  if (axis) motion.axis = read_direction(*axis, dimension);
  if (angle && !axis && dimension == Dimension::space)
    required_member(time_functions, "axis", "the axis of the turning [x, y, z]");
  if (angle) motion.angle = read_time_function(draft, *angle).times(radians(1));
}

void read_time_functions(const Draft& draft, const Field& time_functions, Prescribed& motion) {
  require_known_keys(time_functions, std::array<std::string_view, 5>{"x", "y", "z", "angle", "axis"});
  const auto dimension = static_cast<std::size_t>(draft.dimension());
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<Field> time_function = member(time_functions, kAxes[i]);
    if (!time_function) continue;
    if (i >= dimension)
      fail(*time_function, fmt::format("is a direction that a scene of dimension {} does not have", dimension));
    motion.position[i] = read_time_function(draft, *time_function).plus(motion.position[i].at(0).value);
  }
  read_turning(draft, time_functions, motion);
}

/// A formula that reads the state of bodies; nothing if it reads none.
std::optional<StateFormula> read_state_formula(const Draft& draft, const Field& field) {
  if (!field.node->text()) return std::nullopt;
  const std::string& text = *field.node->text();
  if (text.find_first_of(".[") == std::string::npos) return std::nullopt;
  StateFormula formula = parse_state_formula(draft, field, text, 0);
  if (!formula.reads_state()) return std::nullopt;
  return formula;
}

/// One component or a list of `count`, from `first` on: formulas of time, or formulas that read the state.
void read_strengths(const Draft& draft, const Field& field, std::size_t count, std::size_t first,
                    std::array<TimeFunction, 3>& of_time, std::array<std::optional<StateFormula>, 3>& of_state) {
  const bool alone = count == 1 && !field.node->array();
  if (!alone) {
    const std::size_t given = entries_of(field, fmt::format("a list of {} time functions", count)).size();
    if (given != count) fail(field, fmt::format("has {} entries; it must have {}", given, count));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Field one = alone ? field : entry(field, i);
    of_state[first + i] = read_state_formula(draft, one);
    if (!of_state[first + i]) of_time[first + i] = read_time_function(draft, one);
  }
}

Load read_load(Draft& draft, const Field& table) {
  const Dimension dimension = draft.dimension();
  Load load;
  const Field body = required_member(table, "body", "the body that it acts on");
  load.at.body = read_body_name(draft, body);
  if (load.at.body < 0) fail(body, "= \"world\" does not move; a force acts on a body");
  if (const std::optional<Field> at = member(table, "at"))
    load.at.point = read_vector(*at, dimension) - draft.centres[load.at.body];
  const std::optional<Field> force = member(table, "force"), torque = member(table, "torque");
  if (!force && !torque) fail(table, "has neither force nor torque; give one of them or both");
  if (torque && dimension == Dimension::line)
    fail(*torque, "is for the plane and for space; bodies on a line do not turn");
  StateLoad reading{load.at, {}, {}};
  if (force) read_strengths(draft, *force, static_cast<std::size_t>(dimension), 0, load.force, reading.force);
  if (torque)
    read_strengths(draft, *torque, dimension == Dimension::plane ? 1 : 3, dimension == Dimension::plane ? 2 : 0,
                   load.torque, reading.torque);
  const auto given = [](const auto& one) { return one.has_value(); };
  if (std::any_of(reading.force.begin(), reading.force.end(), given) ||
      std::any_of(reading.torque.begin(), reading.torque.end(), given))
    draft.scene.description.state_loads.push_back(std::move(reading));
  return load;
}

}  // namespace

StateFormula parse_state_formula(const Draft& draft, const Field& field, std::string_view text, std::size_t offset) {
  const auto find = [&](std::string_view name) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < draft.bodies(); ++i) {
      if (draft.scene.description.bodies[i].name == name) return static_cast<int>(i);
      if (i < kMostBodiesListed) names.push_back(draft.scene.description.bodies[i].name);
    }
    throw InputError("", fmt::format("no body is named {}; {}", in_quotes(name), suggestion(name, names, "there are")));
  };
  try {
    return StateFormula(text, field.document->constants, static_cast<int>(draft.dimension()), find);
  } catch (const InputError& error) {
    fail_formula(field, InputError(std::to_string(offset + std::stoul(error.place)), error.rule));
  }
}

TimeFunction read_time_function(const Draft& draft, const Field& field) {
  if (const double* number = field.node->number()) return *number;
  if (!field.node->text() && !field.node->object())
    fail_expected(field, "a number, a formula of t, or a record {file = \"shaker.csv\", column = \"y\"}");
  TimeFunction time_function = field.node->text() ? read_formula(field) : read_record(field);
  require_finite(draft, field, time_function);
  return time_function;
}

Prescribed read_motion(const Draft& draft, const Given& given) {
  Prescribed motion;
  const Pose pose = read_pose(given, draft.dimension());
  for (std::size_t i = 0; i < 3; ++i) motion.position[i] = pose.position[static_cast<Index>(i)];
  motion.start = pose.orientation;
  require_not_both(given, "velocity", "motion");
  require_not_both(given, "angular_velocity", "motion");
  require_not_both(given, "acceleration", "motion");
  require_not_both(given, "acceleration", "velocity");
  if (const std::optional<Field> time_functions = given.find("motion"))
    read_time_functions(draft, *time_functions, motion);
  if (const std::optional<Field> velocity = given.find("velocity")) read_velocity(draft, *velocity, motion);
  if (const std::optional<Field> acceleration = given.find("acceleration"))
    read_acceleration(draft, *acceleration, motion);
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

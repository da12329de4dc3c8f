#include "carom/analysis/force_course.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/forces/engine/follow.h"
#include "carom/forces/engine/frozen.h"

namespace carom {
namespace {

constexpr int kPieces = 16;                        // of a step of the integration
constexpr int kSpeeds = 41;                        // at which restitution is told
constexpr double kSlowest = 1e-2, kFastest = 1e2;  // of them, in parts of the speed asked for

void require_positive(double value, const std::string& place, const char* what) {
  if (!(value > 0 && std::isfinite(value)))
    throw InputError(place, fmt::format("{} is not positive; {} is > 0", value, what));
}

/// Between two states: d and its rate by Hermite's cubic.
ForceCourse::Point between(const Path::State& a, const Path::State& b, double x) {
  const double h = b.time - a.time, d = b.indentation[0] - a.indentation[0];
  const double slope_a = -a.gamma[0] * h, slope_b = -b.gamma[0] * h;
  const double p = slope_a - d, q = d - slope_b, rest = 1 - x;
  const double bend = x * rest * (p * rest + q * x);
  const double turn = (1 - 2 * x) * (p * rest + q * x) + x * rest * (q - p);
  return {a.time + x * h, a.indentation[0] + x * d + bend, h > 0 ? (d + turn) / h : -a.gamma[0], 0};
}

/// The body on its wall.
ImpactProblem on_wall(const ForceQuestion& question) {
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(Vector::Constant(1, question.mass));
  problem.W = Matrix(Matrix::Ones(1, 1)).sparseView();
  problem.u_minus = Vector::Constant(1, -question.speed);
  problem.contacts = {{.name = "wall"}};
  return problem;
}

template <class F>
void require_sound_force(const F& force, double mass) {
  F::fields(force, [](std::string_view key, const auto& value, std::string_view) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
      if (key != "e" && !(key == "flexibility" && value == 0))
        require_positive(value, std::string(key), "this parameter");
    } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::optional<double>>) {
      if (value && !(*value >= 0 && std::isfinite(*value)))
        throw InputError(std::string(key), fmt::format("{} is negative; damping is >= 0", *value));
    }
  });
  if (const std::optional<forces::Fault> fault = force.fault(mass))
    throw InputError(std::string(fault->field), fault->rule);
}

/// Points between the states of a path, on the curves of the force.
template <class F>
void add_points(const F& force, const ForceQuestion& question, const std::vector<Path::State>& states,
                ForceCourse& course) {
  forces::Memory memory = force.touch(question.speed, question.mass);
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    const Path::State &a = states[i], &b = states[i + 1];
    if (b.time <= a.time) continue;
    if (memory.loading && i > 0 && b.indentation[0] < a.indentation[0]) memory = force.turn(a.indentation[0], memory);
    for (int piece = 0; piece < kPieces; ++piece) {
      ForceCourse::Point point = between(a, b, static_cast<double>(piece) / kPieces);
      point.force = force.law(point.indentation, point.rate, memory);
      if (!force.may_pull()) point.force = std::max(point.force, 0.0);
      course.points.push_back(point);
    }
  }
  const Path::State& last = states.back();
  const double rate = -last.gamma[0];
  if (force.may_pull())
    course.points.push_back({last.time, last.indentation[0], rate, force.law(last.indentation[0], rate, memory)});
  course.points.push_back({last.time, last.indentation[0], rate, last.force[0]});
}

template <class F>
ForceCourse course_of(const F& force, const ForceQuestion& question) {
  require_sound_force(force, question.mass);
  const ImpactProblem problem = on_wall(question);
  const ContactProblem contacts = reduce(problem);
  const forces::Frozen frozen(contacts);
  Path path;
  const forces::Followed impact = forces::follow({.kinematics = frozen,
                                                  .normal = std::vector<F>{force},
                                                  .friction = std::vector<forces::Coulomb>(1),
                                                  .x = Vector::Zero(frozen.size()),
                                                  .mass = Vector::Constant(1, question.mass),
                                                  .E0 = Vector::Zero(1),
                                                  .path = &path});
  if (impact.status != Status::solved)
    throw InputError("", fmt::format("not at its end after {} steps; less damping is followed sooner", impact.steps));
  for (Path::State& state : path.states)
    state.gamma = Vector::Constant(1, state.Lambda[0] / question.mass - question.speed);
  ForceCourse course;
  add_points(force, question, path.states, course);
  course.asked = force.asked(question.speed, question.mass);
  course.returned = impact.gamma[0] / question.speed;
  course.peak = impact.contacts[0].peak;
  course.duration = impact.duration;
  course.before = 0.5 * question.mass * question.speed * question.speed;
  course.lost = impact.work[0];
  for (const ForceCourse::Point& point : course.points) course.deepest = std::max(course.deepest, point.indentation);
  const double steps = kSpeeds - 1;
  for (int i = 0; i < kSpeeds; ++i) {
    const double speed = question.speed * kSlowest * std::pow(kFastest / kSlowest, i / steps);
    course.at_speeds.emplace_back(speed, force.restitution(speed, question.mass));
  }
  return course;
}

}  // namespace

std::string_view name_of(const forces::Normal& force) {
  return std::visit([]<class F>(const F&) { return F::name; }, force);
}

std::string_view summary_of(const forces::Normal& force) {
  return std::visit([]<class F>(const F&) { return F::summary; }, force);
}

ForceCourse force_course(const ForceQuestion& question) {
  require_positive(question.mass, "m", "a mass");
  require_positive(question.speed, "v", "an approach speed");
  return std::visit([&](const auto& force) { return course_of(force, question); }, question.force);
}

}  // namespace carom

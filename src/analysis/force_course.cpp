#include "carom/analysis/force_course.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/impact/solve.h"

namespace carom {
namespace {

constexpr int kPieces = 16;                        // of a step of the integration
constexpr int kSpeeds = 41;                        // at which restitution is told
constexpr double kSlowest = 1e-2, kFastest = 1e2;  // of them, in parts of the speed asked for

void require_positive(double value, const char* place, const char* what) {
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

template <class F>
void follow_course(const F& force, const ForceQuestion& question, const Path& path, ForceCourse& course) {
  forces::Memory memory = force.touch(question.speed, question.mass);
  for (std::size_t i = 0; i + 1 < path.states.size(); ++i) {
    const Path::State &a = path.states[i], &b = path.states[i + 1];
    if (b.time <= a.time) continue;
    if (memory.loading && i > 0 && b.indentation[0] < a.indentation[0]) memory = force.turn(a.indentation[0], memory);
    for (int piece = 0; piece < kPieces; ++piece) {
      ForceCourse::Point point = between(a, b, static_cast<double>(piece) / kPieces);
      point.force = force.law(point.indentation, point.rate, memory);
      if (!force.may_pull()) point.force = std::max(point.force, 0.0);
      course.points.push_back(point);
    }
  }
  const Path::State& last = path.states.back();
  const double rate = -last.gamma[0];
  if (force.may_pull())
    course.points.push_back({last.time, last.indentation[0], rate, force.law(last.indentation[0], rate, memory)});
  course.points.push_back({last.time, last.indentation[0], rate, last.force[0]});
  const double steps = kSpeeds - 1;
  for (int i = 0; i < kSpeeds; ++i) {
    const double speed = question.speed * kSlowest * std::pow(kFastest / kSlowest, i / steps);
    course.at_speeds.emplace_back(speed, force.restitution(speed, question.mass));
  }
}

}  // namespace

ForceCourse force_course(const ForceQuestion& question) {
  require_positive(question.mass, "m", "a mass");
  require_positive(question.speed, "v", "an approach speed");
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(Vector::Constant(1, question.mass));
  problem.W = Matrix(Matrix::Ones(1, 1)).sparseView();
  problem.u_minus = Vector::Constant(1, -question.speed);
  problem.contacts = {question.contact};
  problem.contacts[0].name = "wall";
  Compliant law{.force = question.force, .end = question.end};
  if (question.force == Compliant::Force::power) {  // the same without damping, with its indentations
    law.force = Compliant::Force::exact;
    problem.contacts[0].c = 0;
  }
  Path path;
  ImpactOutcome outcome;
  try {
    outcome = solve(problem, law, &path);
  } catch (const InputError& error) {
    throw InputError(error.place.substr(error.place.find('.') + 1), error.rule);
  }
  if (!outcome.solved()) throw InputError("", outcome.message);
  ForceCourse course;
  const forces::Normal force =
      forces::force_by_index<forces::Normal>(static_cast<std::size_t>(question.force), question.contact);
  std::visit(
      [&](auto own) {
        if constexpr (requires { own.end; }) own.end = question.end;
        course.asked = own.asked();
        follow_course(own, question, path, course);
      },
      force);
  course.returned = outcome.u_plus[0] / question.speed;
  course.peak = (*outcome.peak_force)[0];
  course.duration = *outcome.duration;
  course.before = outcome.energy.before;
  course.lost = outcome.energy.dissipated();
  for (const ForceCourse::Point& point : course.points) course.deepest = std::max(course.deepest, point.indentation);
  return course;
}

}  // namespace carom

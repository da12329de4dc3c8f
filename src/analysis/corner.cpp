#include "carom/analysis/corner.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "carom/analysis/kinetic_metric.h"
#include "carom/impact/law.h"

namespace carom::analysis {
namespace {

constexpr double kNoCorner = 1e-9;        // of 1 - |cosine|: nearer, the contacts make no corner
constexpr double kNotClosing = 1e-12;     // of the speed: a surface is not hit by less
constexpr double kWhole = 1e-9;           // an angle ratio this close to an integer is one
constexpr double kSameVelocity = 1e-9;    // of the speed
constexpr double kAtRestInCorner = 1e-9;  // of the speed: what hits without end have left
constexpr std::size_t kMostHits = 20000;

CornerWay way_through(const Corner& corner, int first, const std::array<double, 2>& e) {
  CornerWay way{.first = first, .hits = {}, .velocities = {corner.before}, .gamma_plus = {}, .u_plus = {}};
  const double speed = corner.before.norm();
  Eigen::Vector2d v = corner.before;
  for (int i = first; corner.normal[i].dot(v) < -kNotClosing * speed; i = 1 - i) {
    if (way.hits.size() == kMostHits) {
      way.ends = false;
      break;
    }
    v -= (1 + e[i]) * corner.normal[i].dot(v) * corner.normal[i];
    way.hits.push_back(i);
    way.velocities.push_back(v);
  }
  if (way.ends && way.hits.size() > 1 && v.norm() <= kAtRestInCorner * speed) {
    way.ends = false;
    way.at_rest = true;
    way.velocities.back().setZero();
  }
  const Eigen::Vector2d from = -corner.before.normalized();
  const double alpha = std::acos(std::clamp(from.dot(corner.along[first]), -1.0, 1.0));
  way.reflections =
      corner.is_edge ? 1 : static_cast<int>(std::ceil((std::numbers::pi - alpha) / corner.angle - kWhole));
  return way;
}

}  // namespace

bool Corner::is_decided() const {
  return ways.size() < 2 ||
         (ways[0].velocities.back() - ways[1].velocities.back()).norm() <= kSameVelocity * before.norm();
}

std::optional<int> Corner::images() const {
  const double ratio = std::numbers::pi / angle, whole = std::round(ratio);
  if (std::abs(ratio - whole) > kWhole * ratio) return std::nullopt;
  return static_cast<int>(whole);
}

namespace {

/// Of one contact: the half-plane of the motion along the surface and towards it.
Corner shape_of_edge(const ContactProblem& problem) {
  Corner result;
  result.is_edge = true;
  result.angle = std::numbers::pi;
  result.normal = {Eigen::Vector2d(0, 1), Eigen::Vector2d(0, 1)};
  result.along = {Eigen::Vector2d(1, 0), Eigen::Vector2d(-1, 0)};
  const double q = kinetic_normal_velocities(problem, NormalProblem(problem).gamma_minus)[0];
  const double all = 2 * problem.impact->M.kinetic_energy(problem.impact->u_minus);
  result.before = {std::sqrt(std::max(0.0, all - q * q)), q};
  return result;
}

Corner shape_of_corner(const ContactProblem& problem) {
  const double cosine = kinetic_cosines(problem)(0, 1);
  if (std::abs(cosine) > 1 - kNoCorner) throw InputError("contacts", "are parallel in the kinetic metric: no corner");
  Corner result;
  const double half = std::acos(cosine) / 2;
  result.angle = std::numbers::pi - 2 * half;
  result.normal = {Eigen::Vector2d(-std::sin(half), std::cos(half)), Eigen::Vector2d(std::sin(half), std::cos(half))};
  result.along = {Eigen::Vector2d(std::cos(half), std::sin(half)), Eigen::Vector2d(-std::cos(half), std::sin(half))};
  Eigen::Matrix2d rows;
  rows << result.normal[0].transpose(), result.normal[1].transpose();
  const Vector q = kinetic_normal_velocities(problem, NormalProblem(problem).gamma_minus);
  result.before = rows.inverse() * Eigen::Vector2d(q);
  return result;
}

/// The velocities that a way ends with.
void add_velocities(const ContactProblem& problem, const Corner& corner, CornerWay& way) {
  const ImpactProblem& impact = *problem.impact;
  const NormalProblem normal(problem);
  const Vector unit = kinetic_normal_velocities(problem, Vector::Ones(problem.size()));
  Vector gamma_jump(problem.size());
  for (Index i = 0; i < problem.size(); ++i)
    gamma_jump[i] = corner.normal[i].dot(way.velocities.back() - corner.before) / unit[i];
  way.gamma_plus = normal.gamma_minus + gamma_jump;
  const Vector Lambda = normal.to_rows(Matrix(normal.G()).inverse() * gamma_jump);
  way.u_plus = impact.u_minus + problem.joints.project(impact.M.solve(Vector(impact.W * Lambda)));
  const double energy = impact.M.kinetic_energy(impact.u_minus);
  way.energy_ratio = energy > 0 ? impact.M.kinetic_energy(way.u_plus) / energy : 1;
}

}  // namespace

Corner corner(const ContactProblem& problem) {
  if (problem.size() != 1 && problem.size() != 2)
    throw InputError("contacts", fmt::format("there are {}; an edge has one, a corner two", problem.size()));
  require_no_friction(problem, "the corner");
  require_restitution_in_unit_interval(problem, "the corner");
  Corner result = problem.size() == 1 ? shape_of_edge(problem) : shape_of_corner(problem);
  std::array<double, 2> e = {0, 0};
  for (Index i = 0; i < problem.size(); ++i) e[i] = problem.contacts()[i].e;
  result.lossless = e[0] == 1 && (e[1] == 1 || result.is_edge);
  const double speed = result.before.norm();
  for (int first = 0; first < problem.size(); ++first)
    if (result.normal[first].dot(result.before) < -kNotClosing * speed)
      result.ways.push_back(way_through(result, first, e));
  if (result.ways.empty()) throw InputError("u", "closes no contact; there is no impact");
  for (CornerWay& way : result.ways) add_velocities(problem, result, way);
  return result;
}

}  // namespace carom::analysis

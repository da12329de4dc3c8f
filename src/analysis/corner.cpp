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
  if (way.ends && v.norm() <= kAtRestInCorner * speed) {
    way.ends = false;
    way.at_rest = true;
    way.velocities.back().setZero();
  }
  const Eigen::Vector2d from = -corner.before.normalized();
  const double alpha = std::acos(std::clamp(from.dot(corner.along[first]), -1.0, 1.0));
  way.reflections = static_cast<int>(std::ceil((std::numbers::pi - alpha) / corner.angle - kWhole));
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

Corner corner(const ContactProblem& problem) {
  if (problem.size() != 2) throw InputError("contacts", fmt::format("there are {}; a corner has two", problem.size()));
  require_no_friction(problem, "the corner");
  require_restitution_in_unit_interval(problem, "the corner");
  const double cosine = kinetic_cosines(problem)(0, 1);
  if (std::abs(cosine) > 1 - kNoCorner) throw InputError("contacts", "are parallel in the kinetic metric: no corner");
  Corner result;
  const double half = std::acos(cosine) / 2;
  result.angle = std::numbers::pi - 2 * half;
  result.normal = {Eigen::Vector2d(-std::sin(half), std::cos(half)), Eigen::Vector2d(std::sin(half), std::cos(half))};
  result.along = {Eigen::Vector2d(std::cos(half), std::sin(half)), Eigen::Vector2d(-std::cos(half), std::sin(half))};

  const NormalProblem normal(problem);
  const Eigen::Vector2d q = kinetic_normal_velocities(problem, normal.gamma_minus);
  Eigen::Matrix2d rows;
  rows << result.normal[0].transpose(), result.normal[1].transpose();
  result.before = rows.inverse() * q;
  const double speed = result.before.norm();
  const std::array<double, 2> e = {problem.contacts()[0].e, problem.contacts()[1].e};
  result.lossless = e[0] == 1 && e[1] == 1;
  for (const int first : {0, 1})
    if (result.normal[first].dot(result.before) < -kNotClosing * speed)
      result.ways.push_back(way_through(result, first, e));
  if (result.ways.empty()) throw InputError("u", "closes no contact; there is no impact");

  const ImpactProblem& impact = *problem.impact;
  const Eigen::Matrix2d G = Matrix(normal.G());
  const double energy = impact.M.kinetic_energy(impact.u_minus);
  for (CornerWay& way : result.ways) {
    const Eigen::Vector2d jump = rows * (way.velocities.back() - result.before);
    const Vector unit = kinetic_normal_velocities(problem, Vector::Ones(2));
    const Eigen::Vector2d gamma_jump = jump.cwiseQuotient(Eigen::Vector2d(unit));
    way.gamma_plus = normal.gamma_minus + Vector(gamma_jump);
    const Vector Lambda = normal.to_rows(G.inverse() * gamma_jump);
    way.u_plus = impact.u_minus + problem.joints.project(impact.M.solve(Vector(impact.W * Lambda)));
    way.energy_ratio = energy > 0 ? impact.M.kinetic_energy(way.u_plus) / energy : 1;
  }
  return result;
}

}  // namespace carom::analysis

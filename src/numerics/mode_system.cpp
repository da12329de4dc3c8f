#include "carom/numerics/mode_system.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace carom::numerics {
namespace {

constexpr double kRoundingOfTerms = 1e-13;  // of q, relative to the terms it was summed from: zero

double largest_of(const Vector& values) {
  return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
}

/// Directions of slip, and rays of the cone: x_T = -mu x_N ray.
struct Fan {
  using Direction = std::array<double, 2>;
  using Members = std::vector<std::size_t>;
  /// Two halves: what slips within one has no impulse against slip within the other.
  struct Cut {
    Members slips[2], rays[2];
  };
  std::vector<Direction> slips, rays;
  std::vector<Cut> cuts;
};

Fan line() {
  return {{{1, 0}, {-1, 0}}, {{-1, 0}, {1, 0}}, {{{{0}, {1}}, {{1}, {0}}}}};
}

/// What lies between from and to of `count` around a circle.
Fan::Members between(std::size_t from, std::size_t to, std::size_t count) {
  Fan::Members result;
  for (std::size_t i = from + 1; i < to; ++i) result.push_back(i % count);
  return result;
}

/// Slip along the edges of an even number of sectors, rays along these and to the tips of the triangles between them.
Fan circle(int sectors) {
  const double half = std::numbers::pi / sectors;
  const std::size_t n = static_cast<std::size_t>(sectors);
  Fan fan;
  for (int i = 0; i < 2 * sectors; ++i) {
    const double radius = i % 2 == 0 ? 1 : 1 / std::cos(half), angle = i * half;
    fan.rays.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    if (i % 2 == 0) fan.slips.push_back(fan.rays.back());
  }
  for (std::size_t i = 0; i < n / 2; ++i)
    fan.cuts.push_back({{between(i, i + n / 2, n), between(i + n / 2, i + n, n)},
                        {between(2 * i, 2 * i + n, 2 * n), between(2 * i + n, 2 * i + 2 * n, 2 * n)}});
  return fan;
}

Fan fan_of(const FrictionCone& cone, int sectors) {
  return cone.tangents < 2 ? line() : circle(sectors);
}

std::vector<Index> pick(const std::vector<Index>& columns, const Fan::Members& members) {
  std::vector<Index> result;
  for (const std::size_t i : members) result.push_back(columns[i]);
  return result;
}

/// The impulse of a contact along a ray, of unit length.
Vector impulse_along(const UnitModes& unit, const FrictionCone& cone, const Fan::Direction& ray) {
  Vector result = Vector::Zero(unit.q.size());
  result[cone.row] = 1;
  if (unit.has_friction(cone))
    for (int t = 0; t < cone.tangents; ++t)
      if (const double along = unit.scale[cone.row + 1 + t]; along > 0)
        result[cone.row + 1 + t] = -cone.mu * ray[t] * unit.scale[cone.row] / along;
  return result.normalized();
}

}  // namespace

UnitModes::UnitModes(const ModeProblem& problem) : scale(unit_scale(problem.A.diagonal())) {
  // A direction that nothing moves has a w all the same.
  const Vector rows = scale.unaryExpr([](double value) { return value > 0 ? value : 1.0; });
  if (const double terms = largest_of(rows.cwiseProduct(problem.terms)); terms > 0) size = terms;
  G = scale.asDiagonal() * Matrix(problem.A) * scale.asDiagonal();
  slope = scale.cwiseProduct(problem.slope) / size;
  q = rows.cwiseProduct(problem.q) / size;
  for (Index i = 0; i < q.size(); ++i)
    if (std::abs(problem.q[i]) <= kRoundingOfTerms * problem.terms[i]) q[i] = 0;
}

bool UnitModes::has_friction(const FrictionCone& cone) const {
  return cone.mu > 0 && cone.tangents > 0 && scale.segment(cone.row + 1, cone.tangents).maxCoeff() > 0;
}

Vector UnitModes::outside(const Vector& x) const {
  return size * scale.cwiseProduct(x);
}

Vector UnitModes::inside(const Vector& x) const {
  return x.binaryExpr(scale, [this](double value, double s) { return s > 0 ? value / (s * size) : 0; });
}

ModeSystem::ModeSystem(const ModeProblem& problem, int sectors) : unit(problem), cones_(problem.cones.size()) {
  const int phases = problem.e.size() > 0 ? 2 : 1;
  number(problem, phases, sectors);
  spread(problem, phases, sectors);
  assemble(problem, phases, sectors);
}

void ModeSystem::number(const ModeProblem& problem, int phases, int sectors) {
  for (int phase = 0; phase < phases; ++phase)
    for (const FrictionCone& cone : problem.cones) {
      const bool free = unit.has_friction(cone) && !cone.slides(), moved = unit.scale[cone.row] > 0;
      const Fan fan = free ? fan_of(cone, sectors) : Fan{};
      relaxed = relaxed || (free && cone.tangents > 1);
      ModeColumns own;
      for (std::size_t i = 0; moved && i < (free ? fan.rays.size() : 1); ++i) own.carried.push_back(count++);
      own.opening = count++;
      for (std::size_t i = 0; i < fan.slips.size(); ++i) own.slips.push_back(count++);
      if (phase > 0) own.extra = count++;
      if (moved) alternatives.push_back({{own.opening}, phase > 0 ? std::vector{own.extra} : own.carried});
      for (const Fan::Cut& cut : fan.cuts) {
        const std::vector<Index> one = pick(own.slips, cut.slips[0]), other = pick(own.slips, cut.slips[1]);
        alternatives.push_back({one, other});
        if (!moved) continue;
        alternatives.push_back({one, pick(own.carried, cut.rays[1])});
        alternatives.push_back({other, pick(own.carried, cut.rays[0])});
      }
      columns_.push_back(std::move(own));
    }
}

void ModeSystem::spread(const ModeProblem& problem, int phases, int sectors) {
  first = all = Matrix::Zero(unit.q.size(), count);
  for (int phase = 0; phase < phases; ++phase)
    for (std::size_t i = 0; i < problem.cones.size(); ++i) {
      const FrictionCone& cone = problem.cones[i];
      const ModeColumns& own = columns(phase, i);
      const std::vector<Fan::Direction> rays = own.slips.empty() ? std::vector{cone.slide} : fan_of(cone, sectors).rays;
      for (std::size_t r = 0; r < own.carried.size(); ++r) {
        all.col(own.carried[r]) = impulse_along(unit, cone, rays[r]);
        if (phase == 0) first.col(own.carried[r]) = all.col(own.carried[r]);
      }
    }
}

void ModeSystem::assemble(const ModeProblem& problem, int phases, int sectors) {
  std::vector<Vector> rows;
  std::vector<double> right;
  for (int phase = 0; phase < phases; ++phase) {
    const Matrix response = unit.G * (phase + 1 < phases ? first : all);
    for (std::size_t i = 0; i < cones_; ++i) {
      const FrictionCone& cone = problem.cones[i];
      const Index N = cone.row;
      const ModeColumns& own = columns(phase, i);
      rows.emplace_back(response.row(N).transpose() - Vector::Unit(count, own.opening));
      right.push_back(-unit.q[N]);
      const std::vector<Fan::Direction> slips =
          own.slips.empty() ? std::vector<Fan::Direction>{} : fan_of(cone, sectors).slips;
      for (int t = 0; t < (slips.empty() ? 0 : cone.tangents); ++t) {
        const double scale = unit.scale[N + 1 + t] > 0 ? unit.scale[N + 1 + t] : 1;
        const double size = unit.scale.segment(N + 1, cone.tangents).maxCoeff();
        Vector row = response.row(N + 1 + t).transpose();
        for (std::size_t s = 0; s < slips.size(); ++s) row[own.slips[s]] -= slips[s][t] * scale / (size > 0 ? size : 1);
        rows.push_back(std::move(row));
        right.push_back(-unit.q[N + 1 + t]);
      }
      if (own.extra >= 0) {
        const Vector before = first.row(N).transpose(), now = all.row(N).transpose() - before;
        rows.emplace_back(now - problem.e[static_cast<Index>(i)] * before - Vector::Unit(count, own.extra));
        right.push_back(0);
      }
    }
  }
  A.resize(static_cast<Index>(rows.size()), count);
  for (std::size_t r = 0; r < rows.size(); ++r) A.row(static_cast<Index>(r)) = rows[r].transpose();
  b = Eigen::Map<const Vector>(right.data(), static_cast<Index>(right.size()));
}

}  // namespace carom::numerics

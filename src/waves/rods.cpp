#include "carom/waves/rods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"

namespace carom::waves {
namespace {

void require_finite(double value, const std::string& place) {
  if (!std::isfinite(value)) throw InputError(place, fmt::format("{} is not a finite number", value));
}

/// So that distances are numbers.
void require_coordinate(double value, const std::string& place) {
  constexpr double kFarthest = 1e300;
  require_finite(value, place);
  if (std::abs(value) > kFarthest)
    throw InputError(place, fmt::format("{} is too far away; coordinates are up to {}", value, kFarthest));
}

void require_positive(double value, const std::string& place) {
  if (!std::isfinite(value) || !(value > 0))
    throw InputError(place, fmt::format("{} is not positive; it must be > 0 and finite", value));
}

void require_forces(const Rod& rod, const std::string& place) {
  for (std::size_t i = 0; i < rod.forces.size(); ++i) {
    const EndForce& force = rod.forces[i];
    const std::string end = force.end == End::left ? "left" : "right";
    require_finite(force.value, place + ".force.value");
    if (rod.is_fixed(force.end))
      throw InputError(place + ".force",
                       fmt::format("is on the {} end, which is fixed; a force acts on an end that moves", end));
    for (std::size_t k = 0; k < i; ++k)
      if (rod.forces[k].end == force.end)
        throw InputError(place + ".force", fmt::format("is given twice for the {} end; give their sum", end));
  }
}

/// What follows from the numbers must be a number as well.
void require_range(const Rod& rod, double duration, const std::string& place) {
  double force = rod.Z() * std::abs(rod.velocity);
  for (const EndForce& each : rod.forces) force += std::abs(each.value);
  const double energy = (rod.mass() + rod.Z() * duration) * rod.velocity * rod.velocity +
                        force * force / rod.Z() * (rod.crossing() + duration);
  constexpr double kFinest = 1e-7;  // of the length: elements
  const double stiffness = rod.E * rod.area / (kFinest * rod.length);
  for (const double value : {rod.c(), rod.Z(), rod.crossing(), rod.mass(), rod.E * rod.area, stiffness})
    if (!std::isfinite(value) || !(value > 0))
      throw InputError(place,
                       "has a length, E, rho and area of which wave speed and impedance are no numbers any more");
  if (!std::isfinite(energy) || !std::isfinite(duration * (std::abs(rod.velocity) + force / rod.Z())) ||
      !std::isfinite(rod.position + rod.length))
    throw InputError(place,
                     "has a velocity, force or position so large that its energy or its way is no number any more");
}

/// Rods hand on their velocities: what is a number for each must be one for all.
void require_common_range(const RodsProblem& problem) {
  double velocity = 0, Z = 0, EA = 0, crossing = problem.duration, mass = 0, least_EA = 1;
  for (const Rod& rod : problem.rods) {
    velocity = std::max(velocity, std::abs(rod.velocity));
    for (const EndForce& force : rod.forces) velocity = std::max(velocity, std::abs(force.value) / rod.Z());
    Z = std::max(Z, rod.Z());
    EA = std::max(EA, rod.E * rod.area);
    least_EA = std::min(least_EA, rod.E * rod.area);
    crossing = std::max(crossing, rod.crossing());
    mass += rod.mass();
  }
  constexpr double kMany = 1e6;  // velocities may add up
  const double force = kMany * Z * velocity;
  for (const double value : {force * force * crossing, force * force / least_EA, kMany * velocity * crossing,
                             mass * kMany * velocity * kMany * velocity, EA * crossing * crossing, mass / least_EA})
    if (!std::isfinite(value))
      throw InputError("rods",
                       "has numbers too far apart: forces or energies that follow from them are no numbers any more");
}

void require_rod(const Rod& rod, double duration, const std::string& place) {
  require_positive(rod.length, place + ".length");
  require_positive(rod.E, place + ".E");
  require_positive(rod.rho, place + ".rho");
  require_positive(rod.area, place + ".area");
  require_coordinate(rod.position, place + ".position");
  if (rod.length <= kTouching * std::abs(rod.position))
    throw InputError(place + ".length",
                     fmt::format("{} is lost in the rounding of its position {}; begin to count nearer to the rods",
                                 rod.length, rod.position));
  require_finite(rod.velocity, place + ".velocity");
  require_forces(rod, place);
  require_range(rod, duration, place);
}

/// How far numbers of this problem's coordinates may miss each other and be the same.
double touching(const Rod& rod, double other) {
  return kTouching * std::max({std::abs(rod.position), rod.length, std::abs(other)});
}

void require_order(const RodsProblem& problem) {
  for (std::size_t i = 1; i < problem.rods.size(); ++i) {
    const Rod &before = problem.rods[i - 1], &rod = problem.rods[i];
    const double end = before.position + before.length;
    if (rod.position < end - touching(before, rod.position))
      throw InputError(fmt::format("rods[{}].position", i),
                       fmt::format("{} lies left of {}, where rods[{}] ends; rods are listed from left to right and do "
                                   "not overlap",
                                   rod.position, end, i - 1));
  }
}

void require_walls(const RodsProblem& problem) {
  for (std::size_t w = 0; w < problem.walls.size(); ++w) {
    const double x = problem.walls[w].position;
    require_coordinate(x, fmt::format("walls[{}].position", w));
    for (std::size_t other = 0; other < w; ++other)
      if (problem.walls[other].position == x)
        throw InputError(fmt::format("walls[{}].position", w),
                         fmt::format("{} is that of walls[{}], too; one wall is enough", x, other));
    for (std::size_t i = 0; i < problem.rods.size(); ++i) {
      const Rod& rod = problem.rods[i];
      const double end = rod.position + rod.length, tolerance = touching(rod, x);
      if (x > rod.position + tolerance && x < end - tolerance)
        throw InputError(
            fmt::format("walls[{}].position", w),
            fmt::format("{} lies inside rods[{}], from {} to {}; walls stand beside rods", x, i, rod.position, end));
    }
  }
}

void require_names(const RodsProblem& problem) {
  std::vector<std::pair<std::string, std::string>> names;  // and places
  for (std::size_t i = 0; i < problem.rods.size(); ++i)
    names.emplace_back(problem.rods[i].name, fmt::format("rods[{}].name", i));
  for (std::size_t i = 0; i < problem.walls.size(); ++i)
    names.emplace_back(problem.walls[i].name, fmt::format("walls[{}].name", i));
  std::stable_sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < names.size(); ++i)
    if (!names[i].first.empty() && names[i].first == names[i - 1].first)
      throw InputError(names[i].second, fmt::format("\"{}\" is the name at {}, too; names are different",
                                                    names[i].first, names[i - 1].second));
}

}  // namespace

double Rod::c() const {
  return std::sqrt(E) / std::sqrt(rho);
}

double Rod::Z() const {
  return area * std::sqrt(E) * std::sqrt(rho);
}

double Rod::crossing() const {
  return length / c();
}

double Rod::mass() const {
  return rho * area * length;
}

double Rod::force_at(End end) const {
  for (const EndForce& force : forces)
    if (force.end == end) return force.value;
  return 0;
}

void validate(const RodsProblem& problem) {
  require_positive(problem.duration, "duration");
  if (problem.rods.empty()) throw InputError("rods", "is empty; there must be at least one rod");
  for (std::size_t i = 0; i < problem.rods.size(); ++i)
    require_rod(problem.rods[i], problem.duration, fmt::format("rods[{}]", i));
  require_common_range(problem);
  require_order(problem);
  require_walls(problem);
  require_names(problem);
}

}  // namespace carom::waves

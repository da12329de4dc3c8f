#pragma once

#include <string>
#include <vector>

#include "carom/base/random.h"
#include "carom/waves/exact.h"

namespace carom::waves {

/// A rod of E = rho = A = 1, in which waves run with 1 m/s.
inline Rod plain_rod(const std::string& name, double length, double position, double velocity = 0) {
  Rod rod;
  rod.name = name;
  rod.length = length;
  rod.E = rod.rho = rod.area = 1;
  rod.position = position;
  rod.velocity = velocity;
  return rod;
}

/// The same with impedance Z and speed c.
inline Rod rod_of(const std::string& name, double length, double Z, double c, double position, double velocity = 0) {
  Rod rod = plain_rod(name, length, position, velocity);
  rod.E = Z * c;
  rod.rho = Z / c;
  return rod;
}

/// A rod hits another one of the same kind that is at rest.
inline RodsProblem two_rods(double l1, double l2, double v, double duration) {
  return {duration, {plain_rod("a", l1, -l1, v), plain_rod("b", l2, 0)}, {}};
}

/// What the numbers of a problem may be like.
struct Variety {
  int most_rods = 5;
  bool walls = true, fixed = true, forces = true;
  double duration = 6;
};

inline RodsProblem random_rods(Random& random, const Variety& variety = {}) {
  const auto between = [&](double a, double b) { return a + (b - a) * random.uniform(); };
  const int count = 1 + static_cast<int>(random.uniform() * variety.most_rods);
  const bool commensurate = random.uniform() < 0.4;  // fronts that meet again
  RodsProblem problem;
  problem.duration = between(0.5, 1) * variety.duration;
  double x = between(-3, 3);
  if (variety.walls && random.uniform() < 0.4) {
    problem.walls.push_back({"left wall", x});
    x += random.uniform() < 0.5 ? 0 : between(0, 1);
  }
  for (int i = 0; i < count; ++i) {
    const double length = commensurate ? 0.5 * (1 + static_cast<int>(3 * random.uniform())) : between(0.5, 2);
    const double Z = commensurate && random.uniform() < 0.5 ? 1 : between(0.3, 3),
                 c = commensurate ? 1 : between(0.5, 2);
    Rod rod = rod_of("rod " + std::to_string(i), length, Z, c, x, random.uniform() < 0.3 ? 0 : between(-1, 1));
    if (variety.fixed && random.uniform() < 0.15) rod.fixed = random.uniform() < 0.5 ? End::left : End::right;
    const End pushed = random.uniform() < 0.5 ? End::left : End::right;
    if (variety.forces && random.uniform() < 0.2 && !rod.is_fixed(pushed)) rod.forces = {{pushed, between(-0.5, 0.5)}};
    problem.rods.push_back(rod);
    x += length + (random.uniform() < 0.5 ? 0 : between(0, 0.7));
    if (variety.walls && random.uniform() < 0.1) problem.walls.push_back({"wall " + std::to_string(i), x});
  }
  return problem;
}

}  // namespace carom::waves

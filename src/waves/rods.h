#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carom::waves {

/// The ends of a rod. Rods lie along one line, x to the right.
enum class End { left, right };

constexpr std::array<std::string_view, 2> words_of(End) {
  return {"left", "right"};
}

/// A constant force along the line on one end.
struct EndForce {
  End end = End::left;
  double value = 0;  // [N], to the right
};

/// A straight elastic rod under longitudinal waves, E u_xx = rho u_tt; at t = 0 free of stress and moving as a whole.
struct Rod {
  std::string name;
  double length = 0;             // [m]
  double E = 0;                  // [Pa]
  double rho = 0;                // [kg/m^3]
  double area = 1;               // [m^2]
  double position = 0;           // [m] of the left end at t = 0
  double velocity = 0;           // [m/s] at t = 0
  std::optional<End> fixed;      // this end is held where it is
  std::vector<EndForce> forces;  // one an end at most

  double c() const;         // [m/s] wave speed sqrt(E/rho)
  double Z() const;         // [kg/s] impedance A sqrt(E rho): a wave of velocity v carries the force Z v
  double crossing() const;  // [s] that a wave takes from end to end
  double mass() const;
  double force_at(End end) const;  // [N]
  bool is_fixed(End end) const { return fixed == end; }
};

/// An obstacle at rest, which rods touch from either side.
struct Wall {
  std::string name;
  double position = 0;  // [m]
};

/// Rods in their order along the line, and walls in any order. Neighbours touch unilaterally.
struct RodsProblem {
  double duration = 0;  // [s]
  std::vector<Rod> rods;
  std::vector<Wall> walls;
};

/// Ends nearer than this part of the largest coordinate touch: coordinates are sums.
constexpr double kTouching = 1e-12;

/// Throws InputError with the place (rods[1].E), the value and the rule.
void validate(const RodsProblem& problem);

}  // namespace carom::waves

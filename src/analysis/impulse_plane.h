#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/laws/one_contact/impact.h"

namespace carom::analysis {

/// What kind of impact the one closing contact of a problem has.                          [Gilardi, Sharf 2002, 1.1]
struct ImpactClass {
  bool central = false;     // B_nt = 0: a normal impulse does not change the slip; else eccentric
  bool direct = false;      // no slip before the impact; else oblique
  bool tangential = false;  // no approach, only slip: friction alone presses the bodies together
};

/// Routh's plane of the impulses (P_n, P_t) of one contact with one tangent, in which an impact with Coulomb friction
/// is a path of straight pieces: the lines where slip vanishes, where compression ends, the lines of limiting friction
/// P_t = -+mu P_n and the line of termination of each coefficient of restitution.
///                                       [Routh 1905; Wang, Mason 1992; Gilardi, Sharf 2002, 2.3.1, (8), (10), fig. 4]
struct ImpulsePlane {
  using Point = std::array<double, 2>;  // (P_n, P_t) [kg m/s]
  using Line = std::array<double, 3>;   // k0 + k1 P_n + k2 P_t = 0

  struct Path {  // of one coefficient of restitution
    one_contact::Restitution restitution = one_contact::Restitution::stronge;
    bool solved = false;
    std::string mode;
    std::vector<Point> corners;                            // from (0, 0) to the end
    Point compressed{}, end{};                             // at the end of compression; at the end
    std::optional<Line> termination;                       // through the end; none if there is no impact
    std::optional<double> e_newton, e_poisson, e_stronge;  // -c_n+/c_n-, P_r/P_c, sqrt(-W_r/W_c) of this course
  };

  std::string contact;  // its name
  ImpactClass kind;
  double B_nn = 0, B_nt = 0, B_tt = 0;  // [1/kg]
  Point c_minus{};                      // (c_n, c_t) [m/s]
  double e = 0, mu = 0;
  Line sticking{}, compression{};          // c_t = 0, c_n = 0
  std::array<Line, 2> friction{};          // P_t = -mu P_n (slip > 0), P_t = mu P_n (slip < 0)
  Line termination_newton{};               // c_n = -e c_n-
  std::optional<Point> sticks_compressed;  // B: sticking line and compression line
  std::optional<Point> sticks_at_end;      // A: sticking line and Newton's termination
  /// Where the first line of limiting friction lies: 1 slip never stops, 2 it stops in restitution, 3 in compression.
  /// Nothing without slip before the impact.
  std::optional<int> region;
  double sticking_ratio = 0;             // |B_nt / B_tt|: mu from this on holds a contact whose slip has stopped
  std::optional<double> critical_ratio;  // P_t/P_n that ends without slip, with Newton's e
  std::optional<double> least_ratio, largest_ratio;  // of P_t/P_n that create no energy; nothing: no bound
  std::vector<Path> paths;                           // one a coefficient of restitution
};

/// Throws InputError unless exactly one contact closes (or slips into a tangential impact) and it has one tangent.
ImpulsePlane impulse_plane(const ImpactProblem& problem);

}  // namespace carom::analysis

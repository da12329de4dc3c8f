#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "carom/base/watch.h"
#include "carom/impact/problem.h"

namespace carom::analysis {

/// One velocity after the impact, judged.
struct Judgement {
  Vector u_plus;
  bool kinematic = false;  // no contact closes: gamma+ >= 0, and the joints hold
  bool kinetic = false;    // contacts that only press explain it: M (u+ - u-) = W Lambda, Lambda >= 0
  bool energetic = false;  // no energy from nowhere
  std::optional<double>
      dissipation_level;  // 0 at maximal dissipation, 1 on the energy sphere; none if nothing can be lost
  Vector impulse;         // (m) the impulses that explain it, or come closest (least squares)

  bool admissible() const { return kinematic && kinetic && energetic; }
};

/// All velocities that frictionless mechanics allows after an impact, whatever the law:
///   u+ = u- + M^-1 W Lambda,  Lambda >= 0,     gamma+ >= 0,     T(u+) <= T(u-) + work of the walls.
/// A convex set: cone, cone and energy ball. The dissipation level eps of u+ foliates the ball,
/// T(u+) = T(v) + eps^2 T(u- - v), v the point of maximal dissipation.                [Glocker 2004, (43)-(53)]
class AdmissibleSet {
 public:
  /// The problem must outlive the set. Throws InputError, also for contacts with friction.
  explicit AdmissibleSet(const ImpactProblem& problem);

  const ContactProblem& contact_problem() const { return problem_; }

  /// False if not even maximal dissipation is possible: walls that pinch a body.
  bool possible() const { return possible_; }

  /// v = prox_T(u-): the one answer that Moreau's law gives at e = 0.
  const Vector& max_dissipation() const { return max_dissipation_; }

  Judgement judge(const Vector& u_plus, double tolerance = 1e-9) const;

  /// The least and the largest gamma_i+ in the set.
  struct Range {
    double least = 0, largest = 0;
  };
  static constexpr Index kMostContactsForRanges = 12;
  std::optional<std::vector<Range>> ranges() const;

  /// Points spread over the set (hit and run in the impulses, a fixed pseudo-random sequence for each seed); fewer
  /// where the watch tells it to end.
  std::vector<Vector> samples(int count, std::uint64_t seed = 1, Watch* watch = nullptr) const;

 private:
  Vector velocity(const Vector& Lambda) const;                   // u+ of normal impulses
  double excess(const Vector& Lambda) const;                     // energy after minus energy available [J]
  std::optional<Vector> extreme(const Vector& direction) const;  // Lambda that maximizes direction . gamma+

  ContactProblem problem_;
  SparseMatrix normals_;  // (n x m) the columns of W that are normals
  SparseMatrix G_;        // (m x m)
  Vector gamma_free_;     // (m)
  Vector u_free_;         // (n)
  bool possible_ = false;
  Vector Lambda_0_;  // (m) impulses of maximal dissipation
  Vector max_dissipation_;
};

}  // namespace carom::analysis

#pragma once

#include <optional>
#include <vector>

#include "carom/impact/outcome.h"
#include "carom/model/impact_problem.h"

namespace carom::simulate {

/// (rows) Sizes of the terms that gamma = W'u + drift is summed from.
Vector velocity_terms(const ImpactProblem& problem);

/// What the contacts of an island did in a time step: an impact of those that take `part`, and, where it closes some of
/// the others again, a plastic one of all. Together they are one outcome, with the sums of their impulses.
class StepOutcome {
 public:
  StepOutcome(const ImpactProblem& all, const std::vector<char>& part);  // `all` must outlive this

  const ImpactProblem& first_problem() const { return some_ ? *some_ : *all_; }
  void add_first(ImpactOutcome first);

  /// Whether a contact now approaches though it may not; `accuracy` relative to the fastest.
  bool closes_again(double accuracy) const;
  ImpactProblem second_problem() const;
  void add_second(ImpactOutcome second);

  bool acts() const { return outcome_.has_value(); }

  /// The outcome with velocities and energies in the world instead of the problem's frame, to which `island` is
  /// brought as well. Where joints move, their work is that of walls.
  ImpactOutcome in_world(IslandProblem& island, bool joints_move) &&;

 private:
  Vector gamma(const Vector& u) const;

  const ImpactProblem* all_;
  std::optional<ImpactProblem> some_;  // if not all take part
  std::vector<Index> row_;             // (contacts) of the normals in all rows
  std::vector<std::size_t> contacts_;  // that take part
  std::vector<Index> rows_;            // of these, in all rows
  Vector u_;                           // in the frame of the problem
  std::optional<ImpactOutcome> outcome_;
};

}  // namespace carom::simulate

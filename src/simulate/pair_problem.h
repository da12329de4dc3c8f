#pragma once

#include <array>

#include "carom/model/impact_problem.h"
#include "carom/simulate/contact_kinds.h"

namespace carom::simulate {

/// The impact of two balls, or of a ball and a fixed wall, that touch nothing else: the island and the problem that
/// `islands` and `impact_problem` would make of it, in room that is kept from one impact to the next.
class PairProblem {
 public:
  PairProblem(const Model& model, const ContactRules& rules, const ContactKinds& kinds);

  /// Balls whose mass matrix is diagonal.
  static bool applies(const Model& model) { return model.M().is_diagonal(); }

  /// The touch of two bodies, the first of the lower number, in a state that has their places and velocities.
  void set(const State& state, const PartPair& parts, const geometry::ContactPoint& point);

  const Island& island() const { return islands_[balls_ - 1]; }
  const IslandProblem& problem() const { return problems_[balls_ - 1]; }

 private:
  void set_contact(const State& state, const ContactPair& pair, Contact& contact) const;
  void add_direction(Index column, const Vector3& direction, bool normal, Eigen::Map<Matrix> W) const;

  const Model& model_;
  const ContactRules& rules_;
  const ContactKinds& kinds_;
  const Index axes_, each_;                // velocities of a ball: of its centre, all
  std::size_t balls_ = 1;                  // in the impact
  std::array<Island, 2> islands_;          // of one ball, of two
  std::array<IslandProblem, 2> problems_;  // the same
  std::array<Pose, 2> poses_;              // of the bodies a and b
};

}  // namespace carom::simulate

#pragma once

#include <unordered_map>
#include <vector>

#include "carom/impact/outcome.h"
#include "carom/model/impact_problem.h"
#include "carom/simulate/carried_impulses.h"

namespace carom::simulate {

/// Islands that stand still from step to step. What was asked of one in the step before, to the last bit, has the same
/// answer, to the last bit; nothing else does.
class StandingIslands {
 public:
  struct Question {
    const Model& model;
    const State& state;
    const Island& island;
    const Vector& u_free;            // of all bodies
    const CarriedImpulses& carried;  // in the step before
    Index velocities = 0;            // of a body
    double h = 0, fastest = 0;
  };
  struct Known {
    IslandProblem problem;
    ImpactOutcome outcome;
  };

  const Known* find(const Question& question) const;  // null: it is to be solved
  void keep(const Question& question, const IslandProblem& problem, const ImpactOutcome& outcome);

 private:
  /// All that an answer depends on, in a model without joints.
  struct Asked {
    std::vector<ContactPair> pairs;
    std::vector<Vector3> carried;
    Vector q, u_free;
    double h = 0, fastest = 0;

    bool is_same(const Asked& other) const;
  };
  static Asked asked(const Question& question);

  struct Standing {
    Asked asked;
    Known known;
  };
  std::unordered_map<int, Standing> by_first_body_;
};

/// Bodies that their contacts hold stand still, without what rounding leaves of their velocities u: by far less than
/// the smooth forces would give them in the step.
struct WithoutContacts {
  const Vector &u_minus, &u_free;
};
void let_stand(const Model& model, const Island& island, Index velocities, const WithoutContacts& without, Vector& u);

}  // namespace carom::simulate

#pragma once

#include <vector>

#include "carom/model/contact_pair.h"
#include "carom/simulate/crowd/crew.h"

namespace carom::simulate {

/// Where the bodies of a model are and how they move, found once for the many contacts of a step.
class BodyFrames {
 public:
  BodyFrames(const Model& model, const State& state, Crew& crew);  // model and state must outlive this

  const Pose& pose(int body) const { return poses_[body]; }
  const Twist& twist(int body) const { return twists_[body]; }
  /// [m/s] of a point of a body that is at `point` in the world now.
  Vector3 velocity(int body, const Vector3& point) const { return twists_[body].at(point - poses_[body].position); }
  /// As carom::normal_velocity.
  double normal_velocity(const ContactPair& pair) const;

 private:
  const Model& model_;
  const State& state_;
  std::vector<Pose> poses_;
  std::vector<Twist> twists_;
};

}  // namespace carom::simulate

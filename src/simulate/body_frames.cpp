#include "carom/simulate/body_frames.h"

namespace carom::simulate {

BodyFrames::BodyFrames(const Model& model, const State& state) : model_(model), state_(state) {
  const int bodies = static_cast<int>(model.bodies().size());
  poses_.reserve(model.bodies().size());
  twists_.reserve(model.bodies().size());
  for (int body = 0; body < bodies; ++body) {
    poses_.push_back(model.pose(body, state));
    const Index u = model.first_velocity(body);
    if (u >= 0 && model.dimension() == Dimension::space)
      twists_.push_back({state.u.segment<3>(u), poses_.back().orientation * state.u.segment<3>(u + 3)});
    else
      twists_.push_back(model.twist(body, state));
  }
}

double BodyFrames::normal_velocity(const ContactPair& pair) const {
  if (pair.parts.is_stop()) return carom::normal_velocity(model_, state_, pair);
  return pair.point.normal.dot(velocity(pair.parts.body_b, pair.point.point_b) -
                               velocity(pair.parts.body_a, pair.point.point_a));
}

}  // namespace carom::simulate

#include "carom/simulate/body_frames.h"

namespace carom::simulate {

namespace {

constexpr std::size_t kFramesAtOnce = 128;  // that a thread finds

}  // namespace

BodyFrames::BodyFrames(const Model& model, const State& state, Crew& crew)
    : model_(model), state_(state), poses_(model.bodies().size()), twists_(model.bodies().size()) {
  crew.for_ranges(0, poses_.size(), kFramesAtOnce, [&](std::size_t from, std::size_t to) {
    for (int body = static_cast<int>(from); body < static_cast<int>(to); ++body) {
      poses_[body] = model.pose(body, state);
      const Index u = model.first_velocity(body);
      if (u >= 0 && model.dimension() == Dimension::space)
        twists_[body] = {state.u.segment<3>(u), poses_[body].orientation * state.u.segment<3>(u + 3)};
      else
        twists_[body] = model.twist(body, state);
    }
  });
}

double BodyFrames::normal_velocity(const ContactPair& pair) const {
  if (pair.parts.is_stop()) return carom::normal_velocity(model_, state_, pair);
  return pair.point.normal.dot(velocity(pair.parts.body_b, pair.point.point_b) -
                               velocity(pair.parts.body_a, pair.point.point_a));
}

}  // namespace carom::simulate

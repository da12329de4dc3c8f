#include "carom/record/impact_vectors.h"

namespace carom::record {

Twist twist_in(const Model& model, const ImpactEvent& event, std::size_t i, const Vector& u) {
  const Index place = static_cast<Index>(i);
  Twist twist;
  switch (model.dimension()) {
    case Dimension::line:
      twist.velocity.x() = u[place];
      break;
    case Dimension::plane:
      twist.velocity.head<2>() = u.segment<2>(3 * place);
      twist.angular.z() = u[3 * place + 2];
      break;
    case Dimension::space:
      twist.velocity = u.segment<3>(6 * place);
      twist.angular = model.pose(event.bodies[i], *event.before).orientation * Vector3(u.segment<3>(6 * place + 3));
      break;
  }
  return twist;
}

Vector3 tangential_impulse(const Model& model, const ImpactEvent& event, std::size_t i) {
  const Vector along = event.outcome->tangential(event.outcome->Lambda, i);
  if (along.size() == 0) return Vector3::Zero();
  return tangents_of(event.pairs[i], model.dimension()) * along;
}

}  // namespace carom::record

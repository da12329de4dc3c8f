#include "carom/simulate/closed_contacts.h"

namespace carom::simulate {

TangentialState::Along TangentialState::scaled_slip(const Tangents& tangents, const Vector3& slip) const {
  return (tangents.transpose() * slip).cwiseProduct(scale.head(tangents.cols()));
}

TangentialState::Along TangentialState::scaled_force(const Tangents& tangents, const Vector3& force) const {
  return (tangents.transpose() * force).cwiseQuotient(scale.head(tangents.cols()));
}

Vector3 TangentialState::direction(const Tangents& tangents, const Along& scaled_slip) const {
  return (tangents * scaled_slip.cwiseQuotient(scale.head(tangents.cols()))).normalized();
}

Vector3 TangentialState::slip_against(const Tangents& tangents, const Vector3& force) const {
  return direction(tangents, -scaled_force(tangents, force));
}

TangentialState rubbing(const PairProperties& known, const ContactPair& pair, Dimension dimension) {
  TangentialState result;
  if (dimension == Dimension::line) return result;
  Contact contact = contact_of(known, 1);
  Eigen::Vector2d along(contact.mu, contact.mu_2.value_or(contact.mu));
  forget_direction(contact);
  result.mu = contact.mu;
  result.mu_s = contact.static_friction();
  if (result.mu > 0 && has_grain_along(pair)) result.scale = along / result.mu;
  return result;
}

Vector3 slip_direction(const Model& model, const State& state, const ContactPair& pair,
                       const TangentialState& tangential) {
  const Vector3& normal = pair.point.normal;
  const Vector3 along = tangential.heading - normal.dot(tangential.heading) * normal;
  if (model.dimension() == Dimension::plane || tangential.starting) return along.normalized();
  const Vector3 slip = slip_velocity(model, state, pair);
  return slip.norm() > 0 ? slip.normalized() : along.normalized();
}

}  // namespace carom::simulate

#include "carom/simulate/scales.h"

#include <algorithm>
#include <cmath>

namespace carom::simulate {

Scales::Scales(const Model& model, const State& state, double duration) {
  const Description& description = model.description();
  for (const Body& body : model.bodies()) {
    if (!body.is_free()) continue;
    mass = std::max(mass, body.mass);
    for (const geometry::Part& part : body.parts)
      if (const double reach = geometry::reach(part.shape); std::isfinite(reach)) length = std::max(length, reach);
  }
  for (const Joint& joint : description.joints)
    length = std::max({length, joint.length, joint.a.point.norm(), joint.b.point.norm()});
  if (length == 0 && state.q.size() > 0) length = state.q.cwiseAbs().maxCoeff();
  if (length == 0) length = 1;
  speed = std::max(std::sqrt(description.gravity.norm() * length), length / duration);
  see(model, state);
}

void Scales::see(const Model& model, const State& state) {
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const Twist twist = model.twist(body, state);
    speed = std::max({speed, twist.velocity.norm(), length * twist.angular.norm()});
  }
}

}  // namespace carom::simulate

#pragma once

#include "carom/simulate/observer.h"

namespace carom::record {

/// The velocity in the world of one body of an impact, event.bodies[i]; u is event.u_before or event.u_after.
Twist twist_in(const Model& model, const ImpactEvent& event, std::size_t i, const Vector& u);

/// The tangential impulse [N s] of contact i of an answered impact, in the world, on body b; zero without friction.
Vector3 tangential_impulse(const Model& model, const ImpactEvent& event, std::size_t i);

}  // namespace carom::record

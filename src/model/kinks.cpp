#include "model/kinks.h"

namespace carom {

std::optional<double> next_kink(const Model& model, double from, double to) {
  std::optional<double> earliest;
  const auto look_at = [&](const Course& course) {
    if (const auto kink = course.next_kink(from, earliest.value_or(to))) earliest = kink;
  };
  for (const Body& body : model.bodies()) {
    if (!body.prescribed) continue;
    for (const Course& course : body.prescribed->position) look_at(course);
    look_at(body.prescribed->angle);
  }
  for (const Load& load : model.description().loads) {
    for (const Course& course : load.force) look_at(course);
    for (const Course& course : load.torque) look_at(course);
  }
  return earliest;
}

}  // namespace carom

#include "carom/model/kinks.h"

#include <algorithm>
#include <cmath>

namespace carom {

std::optional<double> next_kink(const Model& model, double from, double to) {
  std::optional<double> earliest;
  const auto look_at = [&](const TimeFunction& time_function) {
    if (const auto kink = time_function.next_kink(from, earliest.value_or(to))) earliest = kink;
  };
  for (const Body& body : model.bodies()) {
    if (!body.prescribed) continue;
    for (const TimeFunction& time_function : body.prescribed->position) look_at(time_function);
    look_at(body.prescribed->angle);
  }
  for (const Load& load : model.description().loads) {
    for (const TimeFunction& time_function : load.force) look_at(time_function);
    for (const TimeFunction& time_function : load.torque) look_at(time_function);
  }
  for (const Joint& joint : model.description().joints)
    if (joint.motor) look_at(joint.motor->target);
  return earliest;
}

namespace {

constexpr double kPlain = 1e-7;  // of the length
constexpr int kMostHalvings = 40;

/// Whether a time function stays near the quintic through its jets at both ends of [t, t + h].
bool is_plain(const TimeFunction& time_function, double t, double h, double error) {
  if (time_function.is_constant()) return true;
  const Jet a = time_function.at(t), b = time_function.at(t + h);
  for (const double x : {0.21, 0.43, 0.5, 0.69, 0.88}) {  // no even parts: a vibration must not hide between them
    const double y = 1 - x, xx = x * x, yy = y * y;
    const double quintic =
        yy * y * ((1 + 3 * x + 6 * xx) * a.value + h * x * (1 + 3 * x) * a.rate + 0.5 * h * h * xx * a.acceleration) +
        xx * x * ((1 + 3 * y + 6 * yy) * b.value - h * y * (1 + 3 * y) * b.rate + 0.5 * h * h * yy * b.acceleration);
    if (!(std::abs(time_function.at(t + x * h).value - quintic) <= error)) return false;
  }
  return true;
}

}  // namespace

double plain_time(const Model& model, double t, double h, double length) {
  for (const Body& body : model.bodies()) {
    if (body.is_free()) continue;
    const Prescribed& known = *body.prescribed;
    const auto all_plain = [&] {
      return is_plain(known.angle, t, h, kPlain) &&
             std::all_of(known.position.begin(), known.position.end(), [&](const TimeFunction& time_function) {
               return is_plain(time_function, t, h, kPlain * length);
             });
    };
    for (int k = 0; k < kMostHalvings && !all_plain(); ++k) h *= 0.5;
  }
  return h;
}

}  // namespace carom

#include "carom/simulate/forced/contact_times.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/geometry/hertz.h"
#include "carom/simulate/forced/step_contact.h"

namespace carom::simulate {
namespace {

/// Twice the fastest body, and what it gains while it falls through all bodies.
double fastest_approach(const Model& model, const State& start) {
  double fastest = 0, walls = 0;
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) {
    const Body& body = model.bodies()[i];
    const Twist twist = model.twist(i, start);
    double reach = 0;
    for (const geometry::Part& part : body.parts)
      if (body.is_free()) reach = std::max(reach, part.pose.position.norm() + geometry::reach(part.shape));
    (body.is_free() ? fastest : walls) =
        std::max(body.is_free() ? fastest : walls, twist.velocity.norm() + twist.angular.norm() * reach);
    const Vector3 place = model.pose(i, start).position;
    low = low.cwiseMin(place - Vector3::Constant(reach));
    high = high.cwiseMax(place + Vector3::Constant(reach));
  }
  const Vector3& g = model.description().gravity;
  const double fall = g.norm() > 0 && (high - low).allFinite() ? (high - low).dot(g.cwiseAbs()) : 0;
  return std::sqrt(std::pow(2 * fastest + walls, 2) + 2 * fall);
}

}  // namespace

TypicalContact typical_contact(const Model& model, const ContactRules& rules, const PartPair& parts) {
  const PairProperties known = rules.properties(parts.body_a, parts.body_b);
  const auto over_mass = [&](int body) { return model.bodies()[body].is_free() ? 1 / model.bodies()[body].mass : 0.0; };
  const auto size = [&](int body, int part) {
    const double reach = geometry::reach(model.bodies()[body].parts[part].shape);
    return std::isfinite(reach) && reach > 0 ? reach : std::numeric_limits<double>::infinity();
  };
  const double R = 1 / (1 / size(parts.body_a, parts.part_a) + 1 / size(parts.body_b, parts.part_b));
  TypicalContact result;
  result.mass = 1 / (over_mass(parts.body_a) + over_mass(parts.body_b));
  result.contact.e = known.e;
  result.contact.mu = known.mu;
  result.contact.eta = known.eta;
  result.contact.k = known.k ? *known.k : 4.0 / 3 * *known.modulus * std::sqrt(R);
  result.contact.c = known.c;
  if (known.mu_s) result.contact.mu_s = std::max(*known.mu_s, known.mu);
  result.contact.k_t = known.k_t;
  return result;
}

ContactTimes contact_times(const Model& model, const ContactRules& rules, const Compliant& law, const State& start) {
  ContactTimes result{.speed = fastest_approach(model, start),
                      .shortest = std::numeric_limits<double>::infinity(),
                      .stable = std::numeric_limits<double>::infinity()};
  for (const PartPair& parts : rules.kinds()) {
    if (!rules.knows_stiffness(parts)) continue;
    const TypicalContact typical = typical_contact(model, rules, parts);
    const double mass = typical.mass;
    StepContact made = step_contact(typical.contact, law, mass, mass);
    const double speed = std::max(result.speed, std::numeric_limits<double>::min());
    std::visit(
        [&](const auto& normal) {
          const double deepest = normal.indentation(0.5 * mass * speed * speed);
          made.memory = normal.touch(speed, mass);
          made.closed = true;
          made.indentation = deepest;
        },
        made.normal);
    const double rate = std::sqrt(made.stiffness_over_mass());
    if (!(rate > 0)) continue;
    const double lasts = std::max(std::numbers::pi / rate, 2 * made.indentation / speed);
    if (lasts < result.shortest) {
      result.shortest = lasts;
      result.stable = 2 / rate;
      result.body_a = parts.body_a;
      result.body_b = parts.body_b;
    }
  }
  return result;
}

}  // namespace carom::simulate
